"""
Runs the cells of a notebook in a kernel, one after the other, and writes what each of them showed to stdout as JSON:
a list of lists of Jupyter outputs. Ends with 3 when the kernel does not answer. Usage: kernel.py <kernel> <notebook>

A kernel may send a cell's value after it has said that it is idle: Deno's does now and then. A front end shows such a
value, as it goes by the message that each output answers; nbconvert has left by then. So this reads as a front end does,
and takes the reply to a request as the end of its work. Nothing is asked before the kernel's broadcasts are heard.
"""

import json
import queue
import sys

from jupyter_client.manager import start_new_kernel

LIMIT_S = 120
QUIET_S = 3
SILENT = 3
SHOWN = ("stream", "display_data", "execute_result", "error")

kernel_name, notebook = sys.argv[1:]
with open(notebook, encoding="utf8") as file:
    sources = ["".join(cell["source"]) for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]

manager, client = start_new_kernel(kernel_name=kernel_name)
outputs = {}


def hear(seconds):
    """Takes in what is broadcast until nothing has come for so long. Returns whether anything came."""
    came = False
    try:
        while True:
            message = client.get_iopub_msg(timeout=seconds)
            came = True
            asked = message["parent_header"].get("msg_id")
            if message["msg_type"] in SHOWN and asked in outputs:
                outputs[asked].append({"output_type": message["msg_type"], **message["content"]})
    except queue.Empty:
        return came


def run(source):
    asked = client.execute(source)
    outputs[asked] = []
    while client.get_shell_msg(timeout=LIMIT_S)["parent_header"].get("msg_id") != asked:
        pass


try:
    for _ in range(20):
        run("0")
        if hear(1):
            break
    outputs.clear()
    for source in sources:
        run(source)
    hear(QUIET_S)
except queue.Empty:
    sys.exit(SILENT)
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)

json.dump(list(outputs.values()), sys.stdout)
