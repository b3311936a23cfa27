"""A client for Memoir that needs the standard library alone."""

from .client import Memoir, MemoirError

__all__ = ["Memoir", "MemoirError"]
