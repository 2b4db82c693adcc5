"""Contracts: what a port or a fake promises, checked against every implementation."""
