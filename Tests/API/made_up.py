# SPDX-License-Identifier: Apache-2.0
"""Requests that schemathesis makes up from the document: at the bounds, beyond them, and by chance from a seed."""

import glob
import json
import os
import subprocess
import sys

CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
    "response_schema_conformance,negative_data_rejection,unsupported_method,allow_header_conformance"
)
# A code is good for a session once, and a stream has no end; parts.py tries them.
LEFT_OUT = ("GET /v1/events", "GET /v1/app/{topic}/events", "POST /v1/sessions")
# A refusal for another reason refuses what is malformed as well: what is gone is gone at every place.
CONFIGURATION = """[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 409, 410, 413, 415, 416, 422, 429]
"""
HERE = os.path.dirname(os.path.abspath(__file__))


def run(table, center, document, options, folder):
    """Runs schemathesis in a process of its own, and adds a row for each operation."""
    path, seen = os.path.join(folder, "openapi.json"), os.path.join(folder, "seen.txt")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document.strict, file)
    open(seen, "w", encoding="utf-8").close()
    with open(os.path.join(folder, "schemathesis.toml"), "w", encoding="utf-8") as file:
        file.write(CONFIGURATION)
    command = [
        os.path.join(os.path.dirname(sys.executable), "schemathesis"),
        "--config-file", os.path.join(folder, "schemathesis.toml"), "run", path,
        "--url", f"http://localhost:{center.port}", "--checks", CHECKS + ",bounds_as_documented",
        "--phases", "examples,coverage,fuzzing", "--seed", str(options.seed), "--max-examples", str(options.examples),
        "--continue-on-failure", "--no-shrink", "--generation-database", "none", "--request-timeout", "40",
        "--suppress-health-check", "all", "--warnings", "off", "--no-color",
        "--report", "json", "--report-dir", folder,
    ]
    for label in LEFT_OUT:
        command += ["--exclude-name", label]
    environment = {
        **os.environ, "PYTHONPATH": HERE, "PYTHONDONTWRITEBYTECODE": "1", "SCHEMATHESIS_HOOKS": "hooks",
        "NESTBOX_API_SOCKET": center.owner.path, "NESTBOX_API_SEEN": seen,
    }
    output = os.path.join(folder, "schemathesis.txt")
    is_late = False
    with open(output, "wb") as file:
        try:
            status = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, env=environment, cwd=folder,
                timeout=options.seconds).returncode
        except subprocess.TimeoutExpired:
            status, is_late = None, True
    with open(seen, encoding="utf-8") as file:
        for line in file:
            document.note(*line.rstrip("\n").split("\t"))
    report(table, document, folder, status, is_late, options)


def report(table, document, folder, status, is_late, options):
    counts = {label: dict(statuses) for label, statuses in document.seen.items()}
    failures = {}
    found = glob.glob(os.path.join(folder, "json-*.json"))
    report = {}
    if found:
        # A folder that is kept may have those of former runs.
        with open(max(found, key=os.path.getmtime), encoding="utf-8") as file:
            report = json.load(file)
    for failure in report.get("failures", ()):
        for label in failure["operations"]:
            failures.setdefault(label, []).append(failure["title"])
    table.heading("made up", f"seed {options.seed}, {options.examples} cases by chance for each operation")
    for label, _ in document.operations():
        if label not in LEFT_OUT:
            said = " ".join(f"{key}×{value}" for key, value in sorted(counts.get(label, {}).items()))
            table.row(label, said, failures.pop(label, []) or ([] if said else ["was never asked"]))
    for label, titles in failures.items():
        table.row(label, "", titles)
    if is_late:
        table.row("the whole", f"{options.seconds} s", ["took longer: ask for fewer --examples"])
    elif report.get("exit_code", status) not in (0, 1) or not report or report["test_cases"]["errored"]:
        table.row("the whole", f"status {status}", ["schemathesis did not do its work: its words are below"])
    if table.failures or is_late:
        with open(os.path.join(folder, "schemathesis.txt"), encoding="utf-8", errors="replace") as file:
            table.quote(file.read())
