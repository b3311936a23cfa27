# Sends what the operations describe, and reads the answers: urllib and json, nothing else.
from __future__ import annotations

import json
import os
import uuid
from email.message import Message
from http.client import HTTPException, HTTPResponse
from typing import Any, Callable, Dict, Iterator, Optional, Tuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from .operations import File, Operations


class MemoirError(Exception):
    """A call that was refused, or that nobody answered: then `status` is 0."""

    def __init__(self, status: int, detail: str, code: Optional[str] = None, retry_after: Optional[float] = None):
        super().__init__(detail)
        self.status = status
        self.detail = detail  # one sentence to act on
        self.code = code  # tells errors with the same status apart, such as "withheld" and "unavailable"
        self.retry_after = retry_after  # seconds


class Memoir(Operations):
    """The service at `url`. `domain_name` is for calls that name no persona; `on_headers` is told the headers of
    every answer: x-memoir-document-id, ratelimit and others."""

    def __init__(
        self,
        url: str,
        key: str,
        domain_name: Optional[str] = None,
        timeout: float = 300,
        on_headers: Optional[Callable[[Message], None]] = None,
    ):
        self._url = url.rstrip("/")
        self._key = key
        self._domain_name = domain_name
        self._timeout = timeout
        self._on_headers = on_headers or (lambda headers: None)

    def _call(self, method: str, path: str, query: Dict[str, Any], body: Dict[str, Any], **options: Any) -> Any:
        with self._send(method, path, query, body, **options) as response:
            return json.load(response)

    def _stream(
        self, method: str, path: str, query: Dict[str, Any], body: Dict[str, Any], **options: Any
    ) -> Iterator[Any]:
        with self._send(method, path, query, body, **options) as response:
            for line in response:
                if line.strip() == b"data: [DONE]":
                    return
                if line.startswith(b"data: "):
                    event = json.loads(line[len(b"data: ") :])
                    # What goes wrong after the first part is the last event.
                    if "detail" in event:
                        raise MemoirError(500, event["detail"])
                    yield event
        raise MemoirError(0, "The reply broke off.")

    def _send(
        self,
        method: str,
        path: str,
        query: Dict[str, Any],
        body: Dict[str, Any],
        file: Optional[File] = None,
        file_name: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> HTTPResponse:
        for fields in (body, query):
            for name in ("DomainName", "domain_name"):
                if name in fields and fields[name] is None:
                    fields[name] = self._domain_name
        headers = {"x-api-key": self._key}
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        data: Optional[bytes] = None
        if file is not None:
            data, headers["content-type"] = _form(_given(body), file, file_name)
        elif method != "GET":
            data, headers["content-type"] = json.dumps(_given(body)).encode(), "application/json"
        address = self._url + path + ("?" + urlencode(_given(query)) if _given(query) else "")
        try:
            response = urlopen(Request(address, data, headers, method=method), timeout=self._timeout)
            self._on_headers(response.headers)
            return response
        except HTTPError as error:
            self._on_headers(error.headers)
            raise _refusal(error) from None
        except (URLError, HTTPException, OSError) as error:
            raise MemoirError(0, f"No Memoir answers at {self._url}: {error}") from error


def _given(fields: Dict[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _form(fields: Dict[str, Any], file: File, name: Optional[str]) -> Tuple[bytes, str]:
    content, own_name = _read(file)
    boundary = uuid.uuid4().hex
    quoted = (name or own_name).replace('"', "%22").replace("\r", " ").replace("\n", " ")
    head = (
        f'--{boundary}\r\ncontent-disposition: form-data; name="message_request"\r\n\r\n{json.dumps(fields)}\r\n'
        f'--{boundary}\r\ncontent-disposition: form-data; name="file"; filename="{quoted}"\r\n'
        "content-type: application/octet-stream\r\n\r\n"
    )
    return head.encode() + content + f"\r\n--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


def _read(file: File) -> Tuple[bytes, str]:
    if isinstance(file, bytes):
        return file, "file"
    if isinstance(file, str):
        with open(file, "rb") as opened:
            return opened.read(), os.path.basename(file)
    return file.read(), os.path.basename(str(getattr(file, "name", "file")))


def _refusal(error: HTTPError) -> MemoirError:
    detail = f"The service answered {error.code}."
    try:
        detail = str(json.load(error)["detail"])
    except (ValueError, KeyError, TypeError):
        pass
    retry_after = error.headers.get("retry-after")
    return MemoirError(error.code, detail, error.headers.get("x-memoir-error"), float(retry_after) if retry_after else None)
