"""The stages a question passes, one file each; they know the ports and never one another."""
