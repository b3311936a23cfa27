# Written by `npm run clients` from openapi.json: every public operation, with what it takes and answers.
from __future__ import annotations

from typing import Any, BinaryIO, Dict, Iterator, List, Optional, TypedDict, Union

File = Union[str, bytes, BinaryIO]  # a path, the bytes, or an open file


class MessageAnswerSourcesItem(TypedDict):
    document_id: str
    title: str
    text: str
    start_time_utc: str


class _MessageAnswer(TypedDict):
    ai_message: str
    ai_score: float
    ai_name: str
    ai_picture: Optional[str]
    SessionId: str
    source_app: str


class MessageAnswer(_MessageAnswer, total=False):
    sources: List[MessageAnswerSourcesItem]


class MessageStreamAnswerSourcesItem(TypedDict):
    document_id: str
    title: str
    text: str
    start_time_utc: str


class _MessageStreamAnswer(TypedDict):
    ai_message: str
    SessionId: str


class MessageStreamAnswer(_MessageStreamAnswer, total=False):
    ai_score: float
    ai_name: str
    ai_picture: Optional[str]
    source_app: str
    sources: List[MessageStreamAnswerSourcesItem]


class InstructionAnswerSourcesItem(TypedDict):
    document_id: str
    title: str
    text: str
    start_time_utc: str


class _InstructionAnswer(TypedDict):
    ai_message: str
    ai_score: float
    ai_name: str
    SessionId: str
    source_app: str


class InstructionAnswer(_InstructionAnswer, total=False):
    sources: List[InstructionAnswerSourcesItem]


class ConversationAnswerItem(TypedDict):
    ai_message: str
    ai_score: float
    ai_name: str
    ai_picture: Optional[str]
    raw_message: str
    timestamp: str
    SessionId: str
    Metadata: Dict[str, Any]


class _UploadUrlAnswer(TypedDict):
    message: str


class UploadUrlAnswer(_UploadUrlAnswer, total=False):
    status: str
    success: bool


class _UploadTextAnswer(TypedDict):
    message: str


class UploadTextAnswer(_UploadTextAnswer, total=False):
    status: str
    success: bool


class _UploadFileAnswer(TypedDict):
    message: str


class UploadFileAnswer(_UploadFileAnswer, total=False):
    status: str
    success: bool


class MemoryAnswerPayloadItemDataItemSource(TypedDict):
    type: str
    name: str


class MemoryAnswerPayloadItemDataItemTopicsItem(TypedDict):
    value: str


class MemoryAnswerPayloadItemDataItem(TypedDict):
    type: str
    memlevel: str
    memlabel: str
    start_time_utc: str
    source: MemoryAnswerPayloadItemDataItemSource
    topics: List[MemoryAnswerPayloadItemDataItemTopicsItem]


class MemoryAnswerPayloadItem(TypedDict):
    data: List[MemoryAnswerPayloadItemDataItem]


class _MemoryAnswer(TypedDict):
    type: str
    payload: List[MemoryAnswerPayloadItem]


class MemoryAnswer(_MemoryAnswer, total=False):
    status: str
    success: bool


class DocumentsAnswerItem(TypedDict):
    id: str
    title: str
    text: str
    type: str
    timestamp: str


class UpdateDocumentAnswerCreatorPropertyBagEmail(TypedDict):
    key: str
    value: str


class UpdateDocumentAnswerCreatorPropertyBagPicture(TypedDict):
    key: str
    value: str


class UpdateDocumentAnswerCreatorPropertyBag(TypedDict):
    email: UpdateDocumentAnswerCreatorPropertyBagEmail
    picture: UpdateDocumentAnswerCreatorPropertyBagPicture


class UpdateDocumentAnswerCreator(TypedDict):
    name: str
    identity_id: int
    domain_id: int
    propertyBag: UpdateDocumentAnswerCreatorPropertyBag


class UpdateDocumentAnswerOwnerItemPropertyBagEmail(TypedDict):
    key: str
    value: str


class UpdateDocumentAnswerOwnerItemPropertyBagPicture(TypedDict):
    key: str
    value: str


class UpdateDocumentAnswerOwnerItemPropertyBag(TypedDict):
    email: UpdateDocumentAnswerOwnerItemPropertyBagEmail
    picture: UpdateDocumentAnswerOwnerItemPropertyBagPicture


class UpdateDocumentAnswerOwnerItem(TypedDict):
    name: str
    identity_id: int
    domain_id: int
    propertyBag: UpdateDocumentAnswerOwnerItemPropertyBag


class UpdateDocumentAnswerFollowerPropertyBagEmail(TypedDict):
    key: str
    value: str


class UpdateDocumentAnswerFollowerPropertyBagPicture(TypedDict):
    key: str
    value: str


class UpdateDocumentAnswerFollowerPropertyBag(TypedDict):
    email: UpdateDocumentAnswerFollowerPropertyBagEmail
    picture: UpdateDocumentAnswerFollowerPropertyBagPicture


class UpdateDocumentAnswerFollower(TypedDict):
    name: str
    identity_id: int
    domain_id: int
    propertyBag: UpdateDocumentAnswerFollowerPropertyBag


class UpdateDocumentAnswerParticipantsItemPropertyBagEmail(TypedDict):
    key: str
    value: str


class UpdateDocumentAnswerParticipantsItemPropertyBagPicture(TypedDict):
    key: str
    value: str


class UpdateDocumentAnswerParticipantsItemPropertyBag(TypedDict):
    email: UpdateDocumentAnswerParticipantsItemPropertyBagEmail
    picture: UpdateDocumentAnswerParticipantsItemPropertyBagPicture


class UpdateDocumentAnswerParticipantsItem(TypedDict):
    name: str
    identity_id: int
    domain_id: int
    propertyBag: UpdateDocumentAnswerParticipantsItemPropertyBag


class UpdateDocumentAnswerSourcePropertyBagSource_app(TypedDict):
    key: str
    value: str


class UpdateDocumentAnswerSourcePropertyBag(TypedDict):
    source_app: UpdateDocumentAnswerSourcePropertyBagSource_app


class UpdateDocumentAnswerSource(TypedDict):
    type: str
    name: str
    device: str
    propertyBag: UpdateDocumentAnswerSourcePropertyBag


class UpdateDocumentAnswerFeed_eventItem(TypedDict):
    id: Optional[str]
    name: str
    type: Optional[str]
    propertyBag: Dict[str, Any]


class UpdateDocumentAnswerTopicsItem(TypedDict):
    value: str


class UpdateDocumentAnswerMetadata(TypedDict):
    title: str
    feed_text: str
    request_id: str
    original_text: str
    is_processed: str


class UpdateDocumentAnswer(TypedDict):
    id: str
    type: str
    memlevel: str
    memlabel: str
    feedTextRaw: Optional[str]
    ownerDnsName: str
    start_time_utc: str
    end_time_utc: Optional[str]
    creator: UpdateDocumentAnswerCreator
    owner: List[UpdateDocumentAnswerOwnerItem]
    follower: UpdateDocumentAnswerFollower
    participants: List[UpdateDocumentAnswerParticipantsItem]
    source: UpdateDocumentAnswerSource
    location: None
    feed_event: List[UpdateDocumentAnswerFeed_eventItem]
    topics: List[UpdateDocumentAnswerTopicsItem]
    contexts: List[Any]
    scope: str
    visibility: str
    internal_parent_mem_ids: List[str]
    external_parent_mem_ids: List[Any]
    embedUrls: List[str]
    scores: Dict[str, Any]
    metadata: UpdateDocumentAnswerMetadata
    is_session: bool
    is_draft: bool
    is_edited: bool


class DocumentByIdAnswer(TypedDict):
    id: str
    title: str
    text: str
    type: str
    timestamp: str


class DocumentListAnswerDocumentsItem(TypedDict):
    id: str
    title: str
    kind: str
    state: str
    is_draft: bool
    tags: List[str]
    timestamp: str


class DocumentListAnswer(TypedDict):
    documents: List[DocumentListAnswerDocumentsItem]
    next: Optional[str]


class RecallAnswerRecollectionsItem(TypedDict):
    memory_id: str
    document_id: str
    title: str
    text: str
    topics: List[str]
    start_time_utc: str
    score: float


class RecallAnswer(TypedDict):
    recollections: List[RecallAnswerRecollectionsItem]


class EmbedAnswer(TypedDict):
    embedder: str
    vectors: List[List[float]]


class MemoryListAnswerPayloadItemDataItemSource(TypedDict):
    type: str
    name: str


class MemoryListAnswerPayloadItemDataItemTopicsItem(TypedDict):
    value: str


class MemoryListAnswerPayloadItemDataItem(TypedDict):
    type: str
    memlevel: str
    memlabel: str
    start_time_utc: str
    source: MemoryListAnswerPayloadItemDataItemSource
    topics: List[MemoryListAnswerPayloadItemDataItemTopicsItem]


class MemoryListAnswerPayloadItem(TypedDict):
    data: List[MemoryListAnswerPayloadItemDataItem]


class _MemoryListAnswer(TypedDict):
    type: str
    payload: List[MemoryListAnswerPayloadItem]


class MemoryListAnswer(_MemoryListAnswer, total=False):
    status: str
    success: bool


class ValidateKeyAnswer(TypedDict):
    validation: str
    firstName: str
    lastName: str
    email: str


class PersonasAnswerPersonasItem(TypedDict):
    DomainName: str
    ai_name: str
    ai_picture: Optional[str]
    is_default: bool


class PersonasAnswer(TypedDict):
    personas: List[PersonasAnswerPersonasItem]
    scopes: List[str]


class InviteAnswer(TypedDict):
    message: str
    email: str
    domain_name: str
    key: str


class Operations:
    """What a client can do: one method for each operation."""

    def _call(self, method: str, path: str, query: Dict[str, Any], body: Dict[str, Any], **options: Any) -> Any:
        raise NotImplementedError

    def _stream(
        self, method: str, path: str, query: Dict[str, Any], body: Dict[str, Any], **options: Any
    ) -> Iterator[Any]:
        raise NotImplementedError

    def message(
        self,
        text: str,
        *,
        context: Optional[str] = None,
        domain_name: Optional[str] = None,
        user_name: Optional[str] = None,
        session_id: Optional[str] = None,
        events: Optional[str] = None,
        source_name: Optional[str] = None,
        is_stack: Optional[bool] = None,
        is_draft: Optional[bool] = None,
        metadata: Optional[Dict[str, Any]] = None,
        include: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> MessageAnswer:
        """Send a message to the persona and get its reply.

        text: The message.
        context: Extra context for the reply, like an instruction for it. Only a chat model reads it.
        domain_name: The persona's identifier. May be left out where the key has a default persona.
        user_name: Who is writing.
        session_id: Groups the messages of one conversation. Any string of 1–256 characters.
        events: Titles of documents to answer from, separated by ":". Those that match nothing are ignored.
        source_name: The program the request comes from.
        is_stack: Also add Text to memory.
        is_draft: Keep the reply as a draft for the owner.
        metadata: Of your own, kept with the message and given back by conversation.
        include: sources: the reply also names the memories it rests on.
        """
        return self._call(
            "POST",
            "/v1/message",
            {"include": include},
            {"Text": text, "Context": context, "DomainName": domain_name, "UserName": user_name, "SessionId": session_id, "Events": events, "SourceName": source_name, "is_stack": is_stack, "is_draft": is_draft, "Metadata": metadata},
            idempotency_key=idempotency_key,
        )

    def message_stream(
        self,
        text: str,
        *,
        context: Optional[str] = None,
        domain_name: Optional[str] = None,
        user_name: Optional[str] = None,
        session_id: Optional[str] = None,
        events: Optional[str] = None,
        source_name: Optional[str] = None,
        is_stack: Optional[bool] = None,
        is_draft: Optional[bool] = None,
        metadata: Optional[Dict[str, Any]] = None,
        include: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Iterator[MessageStreamAnswer]:
        """Send a message and get the reply as server-sent events.

        text: The message.
        context: Extra context for the reply, like an instruction for it. Only a chat model reads it.
        domain_name: The persona's identifier. May be left out where the key has a default persona.
        user_name: Who is writing.
        session_id: Groups the messages of one conversation. Any string of 1–256 characters.
        events: Titles of documents to answer from, separated by ":". Those that match nothing are ignored.
        source_name: The program the request comes from.
        is_stack: Also add Text to memory.
        is_draft: Keep the reply as a draft for the owner.
        metadata: Of your own, kept with the message and given back by conversation.
        include: sources: the reply also names the memories it rests on.
        """
        return self._stream(
            "POST",
            "/v1/message/stream",
            {"include": include},
            {"Text": text, "Context": context, "DomainName": domain_name, "UserName": user_name, "SessionId": session_id, "Events": events, "SourceName": source_name, "is_stack": is_stack, "is_draft": is_draft, "Metadata": metadata},
            idempotency_key=idempotency_key,
        )

    def instruction(
        self,
        text: str,
        cmd: str,
        *,
        context: Optional[str] = None,
        domain_name: Optional[str] = None,
        user_name: Optional[str] = None,
        session_id: Optional[str] = None,
        source_name: Optional[str] = None,
        is_message: Optional[bool] = None,
        include: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> InstructionAnswer:
        """Send an instruction to the persona.

        text: The instruction.
        cmd: chat-model is another name of chatgpt.
        context: What else to go by: the text to summarise, say.
        domain_name: The persona's identifier. May be left out where the key has a default persona.
        user_name: Who is writing.
        session_id: Groups the messages of one conversation. Any string of 1–256 characters.
        source_name: The program the request comes from.
        is_message: Treat the instruction as a message.
        include: sources: the reply also names the memories it rests on.
        """
        return self._call(
            "POST",
            "/v1/instruction",
            {"cmd": cmd, "include": include},
            {"Text": text, "Context": context, "DomainName": domain_name, "UserName": user_name, "SessionId": session_id, "SourceName": source_name, "is_message": is_message},
            idempotency_key=idempotency_key,
        )

    def conversation(
        self,
        session_id: str,
        *,
        domain_name: Optional[str] = None,
        last: Optional[int] = None,
    ) -> List[ConversationAnswerItem]:
        """Read the history of a session, oldest first.

        session_id: Groups the messages of one conversation. Any string of 1–256 characters.
        domain_name: The persona's identifier. May be left out where the key has a default persona.
        last: Only so many, the latest ones.
        """
        return self._call(
            "POST",
            "/v1/conversation",
            {"last": last},
            {"DomainName": domain_name, "SessionId": session_id},
        )

    def upload_url(
        self,
        url: str,
        *,
        title: Optional[str] = None,
        domain_name: Optional[str] = None,
        start_time: Optional[str] = None,
        end_time: Optional[str] = None,
        tags: Optional[List[str]] = None,
        is_stack: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
    ) -> UploadUrlAnswer:
        """Add the content behind a URL to memory.

        url: The address of a page or a file.
        title: Unset: found in the content, where it has one.
        domain_name: The persona's identifier. May be left out where the key has a default persona.
        start_time: Start of the time the content speaks of. Default: found in the content, else now.
        end_time: Where the content speaks of a span of time, its end.
        tags: Comma-delimited, or an array.
        is_stack: false: stored as a draft, not used for replies until published or named in Events.
        """
        return self._call(
            "POST",
            "/v1/upload-url",
            {},
            {"Url": url, "Title": title, "DomainName": domain_name, "StartTime": start_time, "EndTime": end_time, "Tags": tags, "is_stack": is_stack},
            idempotency_key=idempotency_key,
        )

    def upload_text(
        self,
        text: str,
        *,
        title: Optional[str] = None,
        domain_name: Optional[str] = None,
        start_time: Optional[str] = None,
        end_time: Optional[str] = None,
        tags: Optional[List[str]] = None,
        is_stack: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
    ) -> UploadTextAnswer:
        """Add a text document to memory.

        text: The document.
        title: Unset: found in the content, where it has one.
        domain_name: The persona's identifier. May be left out where the key has a default persona.
        start_time: Start of the time the content speaks of. Default: found in the content, else now.
        end_time: Where the content speaks of a span of time, its end.
        tags: Comma-delimited, or an array.
        is_stack: false: stored as a draft, not used for replies until published or named in Events.
        """
        return self._call(
            "POST",
            "/v1/upload-text",
            {},
            {"Text": text, "Title": title, "DomainName": domain_name, "StartTime": start_time, "EndTime": end_time, "Tags": tags, "is_stack": is_stack},
            idempotency_key=idempotency_key,
        )

    def upload_file(
        self,
        file: File,
        *,
        title: Optional[str] = None,
        domain_name: Optional[str] = None,
        start_time: Optional[str] = None,
        end_time: Optional[str] = None,
        tags: Optional[List[str]] = None,
        is_stack: Optional[bool] = None,
        file_name: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> UploadFileAnswer:
        """Add a file to memory.

        title: Unset: found in the content, where it has one.
        domain_name: The persona's identifier. May be left out where the key has a default persona.
        start_time: Start of the time the content speaks of. Default: found in the content, else now.
        end_time: Where the content speaks of a span of time, its end.
        tags: Comma-delimited, or an array.
        is_stack: false: stored as a draft, not used for replies until published or named in Events.
        """
        return self._call(
            "POST",
            "/v1/upload-file",
            {},
            {"Title": title, "DomainName": domain_name, "StartTime": start_time, "EndTime": end_time, "Tags": tags, "is_stack": is_stack},
            file=file,
            file_name=file_name,
            idempotency_key=idempotency_key,
        )

    def memory(
        self,
        text: str,
        *,
        domain_name: Optional[str] = None,
        source_name: Optional[str] = None,
        createdtime: Optional[str] = None,
        source_app: Optional[str] = None,
        start_time: Optional[str] = None,
        raw_feed_text: Optional[str] = None,
        tags: Optional[List[str]] = None,
        idempotency_key: Optional[str] = None,
    ) -> MemoryAnswer:
        """Create a text memory.

        text: What to remember.
        domain_name: The persona's identifier. May be left out where the key has a default persona.
        source_name: Required, except for legacy keys.
        createdtime: Time with zone. Default: now.
        source_app: Legacy keys: SourceName by its older name.
        start_time: Legacy keys: Createdtime by its older name.
        raw_feed_text: Formatted text, stored as given.
        tags: Comma-delimited, or an array.
        """
        return self._call(
            "POST",
            "/v1/memory",
            {},
            {"Text": text, "DomainName": domain_name, "SourceName": source_name, "Createdtime": createdtime, "SourceApp": source_app, "StartTime": start_time, "RawFeedText": raw_feed_text, "Tags": tags},
            idempotency_key=idempotency_key,
        )

    def documents(
        self,
        size: int,
        *,
        domain_name: Optional[str] = None,
        text: Optional[str] = None,
    ) -> List[DocumentsAnswerItem]:
        """Get one named document, or a list of documents, newest first.

        size:
        domain_name: The persona's identifier. May be left out where the key has a default persona.
        text: Title of the document; blank: a list.
        """
        return self._call(
            "POST",
            "/v1/document",
            {"size": size},
            {"DomainName": domain_name, "Text": text},
        )

    def update_document(
        self,
        *,
        domain_name: Optional[str] = None,
        document_id: Optional[str] = None,
        text: Optional[str] = None,
        feed_id: Optional[str] = None,
    ) -> UpdateDocumentAnswer:
        """Replace the text of one document.

        domain_name: The persona's identifier. May be left out where the key has a default persona.
        document_id: feed_id by its older name, where the address has none.
        text: The whole new text. Left out: nothing is replaced.
        feed_id:
        """
        return self._call(
            "PUT",
            "/v1/update-document",
            {"feed_id": feed_id},
            {"DomainName": domain_name, "DocumentId": document_id, "Text": text},
        )

    def document_by_id(
        self,
        document_id: str,
        *,
        domain_name: Optional[str] = None,
    ) -> DocumentByIdAnswer:
        """Get one document by its id, as older connectors do.

        document_id:
        domain_name: The persona's identifier. May be left out where the key has a default persona.
        """
        return self._call(
            "GET",
            "/v1/get-document",
            {"DomainName": domain_name, "DocumentId": document_id},
            {},
        )

    def document_list(
        self,
        *,
        domain_name: Optional[str] = None,
        limit: Optional[int] = None,
        before: Optional[str] = None,
    ) -> DocumentListAnswer:
        """List documents without their texts, newest first, in pages.

        domain_name: The persona's identifier. May be left out where the key has a default persona.
        limit: How many, 200 at most.
        before: `next` of the page before this one.
        """
        return self._call(
            "GET",
            "/v1/document/list",
            {"DomainName": domain_name, "limit": limit, "before": before},
            {},
        )

    def recall(
        self,
        text: str,
        *,
        domain_name: Optional[str] = None,
        session_id: Optional[str] = None,
        size: Optional[int] = None,
    ) -> RecallAnswer:
        """The memories that a question brings up, best first.

        text: The question, as it would be asked.
        domain_name: The persona's identifier. May be left out where the key has a default persona.
        session_id: The question is a follow-up in this session.
        size: How many, 100 at most.
        """
        return self._call(
            "POST",
            "/v1/recall",
            {},
            {"Text": text, "DomainName": domain_name, "SessionId": session_id, "size": size},
        )

    def embed(
        self,
        texts: List[str],
        *,
        domain_name: Optional[str] = None,
    ) -> EmbedAnswer:
        """The vectors of texts, by the embedding model that recall uses.

        texts: What to embed, 128 at most.
        domain_name: The persona's identifier. May be left out where the key has a default persona.
        """
        return self._call(
            "POST",
            "/v1/embed",
            {},
            {"DomainName": domain_name, "Texts": texts},
        )

    def memory_list(
        self,
        *,
        domain_name: Optional[str] = None,
        size: Optional[int] = None,
    ) -> MemoryListAnswer:
        """List memories, newest first, as older programs do.

        domain_name: The persona's identifier. May be left out where the key has a default persona.
        size:
        """
        return self._call(
            "GET",
            "/v1/memory/list",
            {"DomainName": domain_name, "size": size},
            {},
        )

    def validate_key(
        self,
    ) -> ValidateKeyAnswer:
        """Check a key."""
        return self._call(
            "GET",
            "/v1/api-key/validate",
            {},
            {},
        )

    def personas(
        self,
    ) -> PersonasAnswer:
        """The personas that the key is for, and what it may do with them."""
        return self._call(
            "GET",
            "/v1/personas",
            {},
            {},
        )

    def invite(
        self,
        email: str,
        *,
        domain_name: Optional[str] = None,
    ) -> InviteAnswer:
        """Make a key for an e-mail address, where the owner allows it.

        email:
        domain_name: The persona's identifier. May be left out where the key has a default persona.
        """
        return self._call(
            "POST",
            "/v1/invite",
            {"domain_name": domain_name, "email": email},
            {},
        )
