"""What Elysia's web app does unasked, switched off: console output, files, a price list.

Each of these is a module-level function that Elysia looks up when it calls it.
"""

from __future__ import annotations
