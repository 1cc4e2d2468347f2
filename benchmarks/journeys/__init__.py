"""Journeys through the web chat in a browser, each pictured and looked through: make journeys."""
