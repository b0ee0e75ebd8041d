"""Runs a command in a terminal: terminal.py COLUMNS ROWS COMMAND [ARGUMENT ...]

Prints what the terminal gets as events of asciicast v2, one line of JSON each: [seconds since the start, "o", text].
https://docs.asciinema.org/manual/asciicast/v2/
"""

import codecs, fcntl, json, os, pty, struct, sys, termios, time

columns, rows, *command = sys.argv[1:]
start = time.monotonic()
pid, terminal = pty.fork()
if pid == 0:
    # Before the command starts, because it asks for the size first.
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))
    os.execvp(command[0], command)
decoder = codecs.getincrementaldecoder("utf-8")()
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:  # On Linux, the end of the command is EIO.
        break
    if not part:
        break
    print(json.dumps([round(time.monotonic() - start, 3), "o", decoder.decode(part)]), flush=True)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
