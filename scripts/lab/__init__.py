"""Experiments and measurements that stand beside the package."""
