"""Tests of parts together, some as processes of their own."""
