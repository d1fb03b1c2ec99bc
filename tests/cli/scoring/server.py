# SPDX-License-Identifier: Apache-2.0
"""A chat endpoint on loopback that misbehaves as it is told.

	server.py FOLDER BEHAVIOUR... : serves until its stdin closes; the port
	stands in FOLDER/port, a JSON line a request in FOLDER/requests

A behaviour is what the next request gets, the last one is for all that
follow: a status ("429"), "429:N" with Retry-After, "quota", "drop" (the
connection is closed), "half" (in the middle of the body), "slow" (0.3 s),
"garbage" (200 and no JSON), "empty" (200 and no choice), "ok".
"""
import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

folder, behaviours = sys.argv[1], sys.argv[2:]
lock = threading.Lock()
state = {"n": 0, "busy": 0, "most": 0}


def answer(prompt):
    """The code of the prompt, mended where we know how."""
    code = prompt.split("```python\n")[1].split("```")[0]
    code = code.replace("n / 2", "n // 2").replace("FACTOR = 3", "FACTOR = 2")
    if "buggy" in prompt:
        return "clean" if code == prompt.split("```python\n")[1].split("```")[0] else "buggy\n0.9"
    return "Here it is:\n\n```python\n" + code + "```\nThat mends it."


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def say(self, status, body, headers=()):
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        asked = json.loads(body)
        with lock:
            what = behaviours[min(state["n"], len(behaviours) - 1)]
            state["n"] += 1
            state["busy"] += 1
            state["most"] = max(state["most"], state["busy"])
            with open(os.path.join(folder, "requests"), "a") as f:
                f.write(json.dumps({"what": what, "path": self.path, "asked": asked,
                                    "authorization": self.headers.get("Authorization"),
                                    "most": state["most"], "at": time.time()}) + "\n")
        try:
            self.respond(what, asked)
        finally:
            with lock:
                state["busy"] -= 1

    def respond(self, what, asked):
        if what == "slow":
            time.sleep(0.3)
        if what == "drop":
            self.close_connection = True
            self.connection.close()
        elif what == "half":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"choices": [')
            self.wfile.flush()
            self.close_connection = True
        elif what == "garbage":
            self.say(200, "<html>busy</html>")
        elif what == "empty":
            self.say(200, "{}")
        elif what == "quota":
            self.say(429, json.dumps({"error": {"code": "insufficient_quota", "message": "no money"}}))
        elif what[0].isdigit():
            status, _, after = what.partition(":")
            headers = [("Retry-After", after)] if after else []
            self.say(int(status), json.dumps({"error": {"message": "told to"}}), headers)
        else:
            said = answer(asked["messages"][-1]["content"])
            self.say(200, json.dumps({
                "choices": [{"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}}))


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
with open(os.path.join(folder, "port.new"), "w") as f:
    f.write(str(server.server_address[1]))
os.rename(os.path.join(folder, "port.new"), os.path.join(folder, "port"))
sys.stdin.read()
