"""The example over HTTP: `serving.py PORT [--stateless]`."""

import sys

from tests.interop.example import app

if __name__ == "__main__":
    app.serve("http", port=int(sys.argv[1]), stateless="--stateless" in sys.argv)
