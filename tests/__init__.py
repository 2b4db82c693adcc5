"""Tests of Pullquote."""
