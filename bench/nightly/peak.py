"""peak.py FILE COMMAND…: runs a command, and writes the peak memory of its largest process into a file, in KB."""

import resource
import subprocess
import sys

_, file, *command = sys.argv
status = subprocess.call(command)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
with open(file, "w") as output:
    # macOS counts bytes.
    output.write(str(peak // 1024 if sys.platform == "darwin" else peak))
sys.exit(status)
