"""
Runs the cells of a notebook in a kernel, one after the other, and writes what each of them showed to stdout as JSON:
a list of lists of Jupyter outputs. Usage: kernel.py <kernel> <notebook>

A kernel may send a cell's value after it has said that it is idle: Deno's does now and then. A front end shows such a
value, as it goes by the message that each output answers; nbconvert has left by then. So this reads as a front end does.
"""

import json
import queue
import sys

from jupyter_client.manager import start_new_kernel

LIMIT_S = 120
QUIET_S = 3
SHOWN = ("stream", "display_data", "execute_result", "error")

kernel_name, notebook = sys.argv[1:]
with open(notebook, encoding="utf8") as file:
    sources = ["".join(cell["source"]) for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]

manager, client = start_new_kernel(kernel_name=kernel_name)
outputs = {}
try:

    def read(seconds):
        """Takes the next message, and returns the request whose work it says is done, if it says so."""
        message = client.get_iopub_msg(timeout=seconds)
        asked, content = message["parent_header"].get("msg_id"), message["content"]
        if message["msg_type"] in SHOWN and asked in outputs:
            outputs[asked].append({"output_type": message["msg_type"], **content})
        return asked if content.get("execution_state") == "idle" else None

    for source in sources:
        asked = client.execute(source)
        outputs[asked] = []
        while read(LIMIT_S) != asked:
            pass
    try:
        while True:
            read(QUIET_S)
    except queue.Empty:
        pass
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)

json.dump(list(outputs.values()), sys.stdout)
