# SPDX-License-Identifier: Apache-2.0
"""The OpenAPI document, closed where the program answers, so that a member it does not name is a fault."""

import copy
import json
import re

import jsonschema_rs
import openapi_spec_validator

METHODS = ("get", "put", "post", "delete", "patch")
REFERENCE = "#/components/schemas/"


def closed(schema, is_part=False):
    """A schema of answers that allows no member which is not named; `is_part` leaves that to whoever has the part."""
    if not isinstance(schema, dict):
        return schema
    result = {key: value for key, value in schema.items() if key not in ("discriminator", "examples", "description")}
    if "$ref" in schema:
        result["$ref"] = schema["$ref"] + (".part" if is_part else ".closed")
        return result
    for key in ("allOf", "oneOf", "anyOf"):
        if key in schema:
            result[key] = [closed(part, is_part or key == "allOf") for part in schema[key]]
    if "properties" in schema:
        result["properties"] = {key: closed(value) for key, value in schema["properties"].items()}
    if "items" in schema:
        result["items"] = closed(schema["items"])
    if ("properties" in schema or "allOf" in schema) and not is_part:
        result["unevaluatedProperties"] = False
    return result


def nullable(schema, schemas, seen):
    """Takes null for absent, as a call does: every member that is not required may be null."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(REFERENCE)
        if name not in seen:
            seen.add(name)
            schemas[name + ".taken"] = {}
            schemas[name + ".taken"] = nullable(schemas[name], schemas, seen)
        return {"$ref": schema["$ref"] + ".taken"}
    result = {key: value for key, value in schema.items() if key != "discriminator"}
    for key in ("allOf", "oneOf", "anyOf"):
        if key in schema:
            result[key] = [nullable(part, schemas, seen) for part in schema[key]]
    if "items" in schema:
        result["items"] = nullable(schema["items"], schemas, seen)
    if "properties" in schema:
        result["properties"] = {
            key: value if key in schema.get("required", ()) else {"anyOf": [value, {"type": "null"}]}
            for key, value in ((key, nullable(value, schemas, seen)) for key, value in schema["properties"].items())
        }
    return result


class Document:
    """The document as it is printed (`source`), and as answers are judged by it (`strict`)."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.source = json.load(file)
        self.strict = copy.deepcopy(self.source)
        schemas = self.strict["components"]["schemas"]
        for name in list(self.source["components"]["schemas"]):
            schemas[name + ".closed"] = closed(schemas[name])
            schemas[name + ".part"] = closed(schemas[name], is_part=True)
        answers = [answer for _, operation in self.operations() for answer in operation["responses"].values()]
        for answer in answers + list(self.strict["components"]["responses"].values()):
            for content in answer.get("content", {}).values():
                if "schema" in content:
                    content["schema"] = closed(content["schema"])
        nullable({"$ref": REFERENCE + "Call"}, schemas, set())
        calls = self.strict["paths"]["/v1/app/{topic}/calls"]["post"]["requestBody"]["content"]["application/json"]
        calls["schema"] = {"$ref": REFERENCE + "Call.taken"}
        self.validators = {}
        self.seen = {}

    def operations(self):
        """Pairs of a label as schemathesis prints it, and the operation."""
        for path, item in self.strict["paths"].items():
            for method in METHODS:
                if method in item:
                    yield f"{method.upper()} {path}", item[method]

    def faults(self):
        """The places in which the document is no OpenAPI 3.1."""
        validator = openapi_spec_validator.OpenAPIV31SpecValidator(self.source)
        return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in validator.iter_errors()]

    def has(self, label):
        return label in dict(self.operations())

    def operation(self, label):
        """An operation by its label; an empty one means that the document has none."""
        return dict(self.operations()).get(label, {"responses": {}})

    def answer(self, label, status):
        answer = self.operation(label)["responses"].get(str(status))
        if answer and "$ref" in answer:
            answer = self.strict["components"]["responses"][answer["$ref"].rsplit("/", 1)[1]]
        return answer

    def scopes(self, label):
        """The scope that an operation needs; None means that whoever is known may ask."""
        for requirement in self.operation(label).get("security", ()):
            if requirement.get("token"):
                return requirement["token"][0]
        return None

    def events(self, label):
        """The schemas of a stream's events by their names."""
        return self.answer(label, 200)["content"]["text/event-stream"]["x-events"]

    def note(self, label, status):
        """Counts an answer that was seen."""
        counts = self.seen.setdefault(label, {})
        counts[str(status)] = counts.get(str(status), 0) + 1

    def unseen(self):
        """Pairs of an operation and a status that are documented and were never seen."""
        for label, operation in self.operations():
            for status in operation["responses"]:
                if status not in self.seen.get(label, {}):
                    yield label, status

    def violations(self, value, schema):
        """The sentences in which a value breaks a schema of this document."""
        key = json.dumps(schema, sort_keys=True)
        if key not in self.validators:
            whole = {**schema, "components": {"schemas": self.strict["components"]["schemas"]}}
            self.validators[key] = jsonschema_rs.Draft202012Validator(whole)
        return [
            f"{'/'.join(map(str, error.instance_path)) or 'the whole'}: {shortened(error.message)}"
            for error in self.validators[key].iter_errors(value)
        ]

    def closed_violations(self, value, reference):
        """The same for the closed form of a schema that is named by a reference."""
        return self.violations(value, {"$ref": reference["$ref"] + ".closed"})

    def judge(self, label, answer):
        """The sentences in which an answer is not what the document says, and counts it."""
        self.note(label, answer.status)
        documented = self.answer(label, answer.status)
        if documented is None:
            return [f"{label}: {answer.status} {answer.reason or ''} is not documented"]
        content = documented.get("content")
        kind = answer.headers.get("content-type")
        if not content:
            return [f"{label}: {answer.status} has a body"] if answer.body else []
        if kind not in content and f"{str(kind).split('/')[0]}/*" not in content:
            return [f"{label}: {answer.status} is {kind}"]
        faults = [
            f"{label}: {answer.status} has no header {name}"
            for name in documented.get("headers", ()) if name not in answer.headers
        ]
        if kind == "application/json":
            faults += [f"{label}: {answer.status}: {fault}" for fault in
                       self.violations(answer.object, content[kind]["schema"])]
        return faults


def shortened(text, limit=200):
    text = re.sub(r"\s+", " ", text)
    return text if len(text) <= limit else text[:limit] + "…"
