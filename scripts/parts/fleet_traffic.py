# SPDX-License-Identifier: Apache-2.0
"""What goes in and out of the hosts of a fleet in a lab: sealed pushes, and the webhook that takes all records."""
import http.client
import http.server
import json
import subprocess
import threading

from fleet_run import EXTENSION, told

TOPIC = "com.example.chat"
# What has not been delivered yet: pushes without an outcome, and records without an answer.
WAITING = "SELECT (SELECT count(*) FROM nestbox.waiting) + (SELECT count(*) FROM nestbox.outbox)"


class Sealer:
    """Makes the key of the app, and seals payloads for it, by one process."""

    def __init__(self, programs, work):
        program = programs / "seal-payload"
        told(program, "keygen", "-o", work / "app.key")
        public = told(program, "keygen", "-y", work / "app.key").strip()
        self.process = subprocess.Popen([program, "-r", public, "--topic", TOPIC, "--batch"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lock = threading.Lock()

    def seal(self, content):
        """The sealed payload; None once the process has ended, as it has when a run is ended by a signal."""
        payload = {"aps": {"alert": {"title": "Alice", "body": content}}, "content": content}
        with self.lock:
            try:
                self.process.stdin.write(json.dumps(payload) + "\n")
                self.process.stdin.flush()
            except OSError:
                return None
            return self.process.stdout.readline().strip() or None


class Webhook:
    """Gives each record that a host sends to `take`, which many threads call."""

    def __init__(self, take):
        class Receiver(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                take(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *arguments):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, request, address):
                pass  # A host that was killed leaves its connections.

        server = Server(("127.0.0.1", 0), Receiver)
        self.port = server.server_port
        threading.Thread(target=server.serve_forever, daemon=True).start()


def write_host(lab, name, database, keys=("fleet.key",)):
    """Writes the host.yaml of a host, whose records go to the lab's webhook; the first of the fleet's keys seals."""
    secret = lab.work / "secret"
    secret.write_text("s" * 40)
    secret.chmod(0o600)
    (lab.work / f"{name}.yaml").write_text(json.dumps({
        "listen": {"apns": {"port": 0, "plaintext": True, "environment": "development"}},
        "state": f"state-{name}",
        "fleet": {
            "database": database, "key": keys[0], "host": name, "lease": "3s",
            **({"opening-keys": list(keys[1:])} if keys[1:] else {}),
        },
        "apps": [{
            "topic": TOPIC, "device-tokens": lab.tokens, "keys": ["app.key"],
            "extension": str(EXTENSION),
        }],
        "sinks": [{"webhook": {
            "name": "all", "url": f"http://127.0.0.1:{lab.webhook.port}/", "secret-file": "secret",
        }}],
    }))


def offer(host, token, body, connections, identifier=None):
    """Posts a push: True if it was accepted, False if not, None without an answer."""
    headers = {"apns-topic": TOPIC}
    if identifier:
        headers["apns-id"] = identifier
    key = (host.name, host.port)
    try:
        if key not in connections:
            connections[key] = http.client.HTTPConnection("127.0.0.1", host.port, timeout=20)
        connection = connections[key]
        connection.request("POST", f"/3/device/{token}", body, headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status == 200
    except (OSError, http.client.HTTPException):
        connections.pop(key, None)
        return None
