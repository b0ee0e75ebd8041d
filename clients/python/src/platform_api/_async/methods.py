# Written by `npm run generate`.

"""One class per resource, with one method per operation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from .._core.options import NOT_GIVEN
from .._core.request import path_of, to_wire
from .._generated import shapes
from .pages import AsyncPages
from .resource import AsyncResource, raw, raw_page

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Literal, Sequence

    from typing_extensions import Unpack

    from .. import types as t
    from .._core.options import IfMatchOptions, PostIfMatchOptions, PostOptions, RequestOptions


class AsyncServiceMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncServiceRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncServiceRaw(self)

    async def health(self, **options: Unpack[RequestOptions]) -> t.HealthStatus:
        """Check the service.

        Returns 200 if the service and its database respond, otherwise 503.

        Requires no credential.
        """
        return await self._call("GET", "/health", options)


class AsyncServiceRaw:
    def __init__(self, methods: AsyncServiceMethods) -> None:
        self.health = raw(methods.health)


class AsyncApiKeysMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncApiKeysRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncApiKeysRaw(self)

    def list(
        self,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        expires_before: str | datetime = NOT_GIVEN,
        created_by: str = NOT_GIVEN,
        status: t.ApiKeyStatus = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.ApiKey]:
        """List API keys.

        Returns keys, newest first, including keys that were revoked or expired in the last 30 days. A credential
        that is bound to projects gets only keys that are bound to the same projects or to some of them.

        With a selective filter, a page may have fewer than `limit` items, or no items. Continue until
        `next_cursor` is null.

        Requires the scope `api-keys:read`.

        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        :param expires_before: Only keys that expire before this time.
        :param created_by: Only keys that this key or this workload identity created. Those that they created are
            not among them.
        :param status: Only keys with this status.
        """
        return self._pages("/api-keys", options, {"limit": limit, "cursor": cursor, "expiresBefore": expires_before, "createdBy": created_by, "status": status})

    async def create(
        self,
        *,
        name: str,
        scopes: Sequence[t.Scope],
        expires_in: str = NOT_GIVEN,
        project_ids: Sequence[str] = NOT_GIVEN,
        environments: Sequence[str] = NOT_GIVEN,
        allowed_cidrs: Sequence[str] = NOT_GIVEN,
        rate_limit: t.RateLimitParam | None = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.ApiKeyWithSecret:
        """Create an API key.

        Creates a key for the caller's organisation and mode. It cannot have more scopes, projects or environments,
        wider addresses, a higher limit or a longer lifetime than the credential that creates it. Its requests also
        count in the limit of the key that creates it, and in the limits of the keys above that key: in at most
        four limits, including its own.

        Only this response shows the `secret`. To read it again, repeat the request with the same Idempotency-Key
        and the same credential.

        Requires the scope `api-keys:write`.

        Errors of this operation: `secret_unavailable` (409).

        :param name: A display name. Not blank, without control characters.
        :param scopes: The permissions of the key.
        :param expires_in: The lifetime of the key: a whole number of hours, days or weeks, at most 365 days.
            Default: `90d`, but not longer than the creating credential is valid.
        :param project_ids: The projects that the key can access. Default: all projects, or those of the creating
            credential.
        :param environments: The environments that the key can access, by name, in each of its projects.
            Conversations follow their deployment. Default: all environments, or those of the creating credential.
            They cannot be changed.
        :param allowed_cidrs: The addresses from which the key may be used, as CIDR blocks of IPv4 or IPv6; the
            bits behind the prefix are ignored. From other addresses, the key is treated as unknown. Default:
            everywhere, or the addresses of the creating credential.
        :param rate_limit: The limit of requests. Default: the limit of the creating key, or no limit.
        """
        return await self._call("POST", "/api-keys", options, body={"name": name, "scopes": scopes, "expiresIn": expires_in, "projectIds": project_ids, "environments": environments, "allowedCidrs": allowed_cidrs, "rateLimit": rate_limit}, takes="idempotency_key")

    async def me(self, **options: Unpack[RequestOptions]) -> t.ApiKey:
        """Get the calling API key.

        Returns the key in the Authorization header. Requires no scope. A token gets 404.

        Requires any valid credential.
        """
        return await self._call("GET", "/api-keys/me", options)

    async def revoke_me(self, **options: Unpack[RequestOptions]) -> t.RevokedApiKey:
        """Revoke the calling API key.

        Revokes the key in the Authorization header permanently. Requires no scope, so anybody who finds a leaked
        key can disable it, even if it is the last key. Its webhooks stay on: `webhooks` counts them. A token gets
        404.

        Requires any valid credential.
        """
        return await self._call("DELETE", "/api-keys/me", options)

    async def get(self, key_id: str, **options: Unpack[RequestOptions]) -> t.ApiKey:
        """Get an API key.

        Returns the key without its secret. A revoked or expired key is returned for 30 more days.

        Requires the scope `api-keys:read`.

        :param key_id: The id of the API key.
        """
        return await self._call("GET", path_of("/api-keys/", key_id), options)

    async def update(
        self,
        key_id: str,
        *,
        name: str = NOT_GIVEN,
        scopes: Sequence[t.Scope] = NOT_GIVEN,
        expires_in: str = NOT_GIVEN,
        allowed_cidrs: Sequence[str] | None = NOT_GIVEN,
        rate_limit: t.RateLimitParam | None = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.ApiKey:
        """Update an API key.

        Changes the name, the scopes, the addresses, the limit or the expiry, from the next request on. `scopes`
        and `allowed_cidrs` replace all scopes and addresses. `expires_in` counts from now. The caller must have
        every scope of the key, and every scope that it adds, for at least as long as the key is valid. A caller
        that extends the key, or allows further addresses or requests, may not exceed its own lifetime, addresses
        and limit. To shorten the key, or to restrict its addresses or requests, the caller must be able to grant
        the key in its current form. A key can change itself only with its current secret. The last key that can
        create keys keeps `api-keys:write`.

        Requires the scope `api-keys:write`.

        Errors of this operation: `key_not_active` (409), `last_key` (409).

        :param key_id: The id of the API key.
        :param name: A display name. Not blank, without control characters.
        :param scopes: The permissions of the key.
        :param expires_in: The lifetime of the key from now: a whole number of hours, days or weeks, at most 365
            days.
        :param allowed_cidrs: The addresses from which the key may be used. Null for everywhere.
        :param rate_limit: The limit of requests. Null removes the limit.
        """
        return await self._call("PATCH", path_of("/api-keys/", key_id), options, body={"name": name, "scopes": scopes, "expiresIn": expires_in, "allowedCidrs": allowed_cidrs, "rateLimit": rate_limit})

    async def revoke(
        self,
        key_id: str,
        *,
        children: bool = NOT_GIVEN,
        force: bool = NOT_GIVEN,
        dry_run: bool = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.RevokedApiKey:
        """Revoke an API key.

        Revokes the key permanently. Every request that starts after this response is refused. Revoking a revoked
        key changes nothing. The caller must have every scope of the key, unless the key revokes itself. If no key
        that can create keys would be left, `force=true` is needed.

        With `children=true`, the response is 202. The key is revoked at once. Soon after, the keys and workload
        identities that it created end, and those that they created, except those with a scope that the caller does
        not have. Then every webhook is disabled whose URL, content or secret one of these keys has set, and every
        source, every evaluator and every rollout is paused that acts on behalf of one of these keys. Evaluation
        runs, refreshes of sources and exports that one of these keys has requested fail with `credential_revoked`
        before their next call, request or file. Other jobs go on. `children_revocation` of this key shows the
        progress. Without `children=true`, webhooks stay on: `webhooks` counts them.

        With `dryRun=true`, nothing changes. The response is 200 with the unchanged key and the effects that the
        revocation would have.

        Requires the scope `api-keys:write`.

        Errors of this operation: `last_key` (409).

        :param key_id: The id of the API key.
        :param children: Whether the keys and workload identities below it end too (those that it created, and
            those that they created), their webhooks are disabled, and their sources, evaluators and rollouts
            paused. Default: false.
        :param force: Whether to end it even if no key is left that can create keys. Default: false.
        :param dry_run: Whether to only show the effects, without any change. Default: false.
        """
        return await self._call("DELETE", path_of("/api-keys/", key_id), options, query={"children": children, "force": force, "dryRun": dry_run})

    async def rotate(
        self,
        key_id: str,
        *,
        overlap: Literal[0] | str = NOT_GIVEN,
        end_previous: bool = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.ApiKeyWithSecret:
        """Rotate an API key.

        Replaces the secret of a key. Everything else stays: id, name, scopes, projects, addresses and expiry. The
        old secret is valid until `previous_secret_expires_at`, so that you can replace it everywhere. A key has at
        most two valid secrets. While the old secret is valid, another rotation is refused
        (`previous_secret_valid`, with the end of the old secret in the details), unless `end_previous` is true.

        Only this response shows the new `secret`. To read it again, repeat the request with the same
        Idempotency-Key and the same credential.

        A key can rotate itself only with its current secret. It needs an Idempotency-Key (otherwise 400
        `idempotency_key_required`) and an overlap of at least `1h`, so that a lost response cannot lock it out.
        The caller cannot rotate a key with more scopes, more projects, wider addresses, a higher limit or a longer
        lifetime than the caller has.

        Requires the scope `api-keys:write`.

        Errors of this operation: `key_not_active` (409), `overlap_required` (409), `previous_secret_valid` (409),
        `secret_unavailable` (409).

        :param key_id: The id of the API key.
        :param overlap: How long the old secret stays valid: `0s` (or `0`), or a whole number of hours, days or
            weeks, at most 7 days. Default: `24h`.
        :param end_previous: Whether the secret from before the last rotation ends at once, although its end was
            announced for later. Default: false. Then the rotation is refused while that secret is valid.
        """
        return await self._call("POST", path_of("/api-keys/", key_id, "/rotate"), options, body={"overlap": overlap, "endPrevious": end_previous}, takes="idempotency_key")


class AsyncApiKeysRaw:
    def __init__(self, methods: AsyncApiKeysMethods) -> None:
        self.list = raw_page(methods.list)
        self.create = raw(methods.create)
        self.me = raw(methods.me)
        self.revoke_me = raw(methods.revoke_me)
        self.get = raw(methods.get)
        self.update = raw(methods.update)
        self.revoke = raw(methods.revoke)
        self.rotate = raw(methods.rotate)


class AsyncAuditEventsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncAuditEventsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncAuditEventsRaw(self)

    def list(
        self,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        actor: str = NOT_GIVEN,
        action: str = NOT_GIVEN,
        resource_id: str = NOT_GIVEN,
        project_id: str = NOT_GIVEN,
        from_: str | datetime = NOT_GIVEN,
        to: str | datetime = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.AuditEvent]:
        """List audit events.

        Returns changes with their authors, and requests that were refused for reasons of security, newest first.
        There is one event for each call and each resource that it changed. A credential that is bound to projects
        gets only the events of these projects.

        An event appears within seconds, and is sorted by the start of its request. So events of the last minute
        may still appear, also between events that you have read. With several filters, a page may have fewer than
        `limit` items, or no items. Continue until `next_cursor` is null.

        Requires the scope `audit:read`.

        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        :param actor: Only events of this actor. A workload identity is named by its id, whatever the subject of
            its tokens is.
        :param action: Only events of this action.
        :param resource_id: Only events of this resource.
        :param project_id: Only events of this project.
        :param from_: Only events at this time or later.
        :param to: Only events before this time.
        """
        return self._pages("/audit-events", options, {"limit": limit, "cursor": cursor, "actor": actor, "action": action, "resourceId": resource_id, "projectId": project_id, "from": from_, "to": to})

    async def get(self, event_id: str, **options: Unpack[RequestOptions]) -> t.AuditEvent:
        """Get an audit event.

        Returns an event. A credential that is bound to projects gets 404 for the events of other projects.

        Requires the scope `audit:read`.

        :param event_id: The id of the audit event.
        """
        return await self._call("GET", path_of("/audit-events/", event_id), options)


class AsyncAuditEventsRaw:
    def __init__(self, methods: AsyncAuditEventsMethods) -> None:
        self.list = raw_page(methods.list)
        self.get = raw(methods.get)


class AsyncAvatarsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncAvatarsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncAvatarsRaw(self)

    def list(
        self,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        external_id: str = NOT_GIVEN,
        status: t.AvatarStatus = NOT_GIVEN,
        name_prefix: str = NOT_GIVEN,
        created_from: str | datetime = NOT_GIVEN,
        created_before: str | datetime = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.Avatar]:
        """List avatars.

        Returns the current state, newest first.

        With a selective filter, a page may have fewer than `limit` items, or no items. Continue until
        `next_cursor` is null.

        Requires the scope `avatars:read`.

        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        :param external_id: Only the avatar with this externalId. Not blank, without control characters.
        :param status: Only avatars with this status.
        :param name_prefix: Only avatars whose name starts with this text, ignoring case.
        :param created_from: Only avatars created at this time or later.
        :param created_before: Only avatars created before this time.
        """
        return self._pages("/avatars", options, {"limit": limit, "cursor": cursor, "externalId": external_id, "status": status, "namePrefix": name_prefix, "createdFrom": created_from, "createdBefore": created_before})

    async def create(
        self,
        *,
        name: str,
        persona: t.PersonaInput,
        voice: t.VoiceInput | None = NOT_GIVEN,
        image_url: str | None = NOT_GIVEN,
        knowledge_tags: Sequence[str] = NOT_GIVEN,
        model: t.AvatarModelInput | None = NOT_GIVEN,
        runtime: Any = NOT_GIVEN,
        metadata: t.MetadataParam = NOT_GIVEN,
        external_id: str | None = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.Avatar:
        """Create an avatar.

        Creates an active avatar with version 1.

        Requires the scope `avatars:write`.

        Errors of this operation: `external_id_taken` (409), `project_archived` (409).

        :param name: A display name. Not blank, without control characters.
        :param persona: Who the avatar is and how it speaks.
        :param voice: The voice of the avatar. Null if not set.
        :param image_url: The https address of its image, without a user name and a password. It is stored and
            shown as it was sent. Null if not set.
        :param knowledge_tags: The avatar knows the documents that have at least one of these tags.
        :param model: The model that answers for the avatar. Null if not set.
        :param runtime: JSON for your own runtime, such as its tools, its model and the settings of its voice. Null
            for none. The service does not interpret it. Do not store secrets in it: whoever reads the avatar reads
            it. At most 64 KB of UTF-8 as JSON and 100 levels. Numbers are those that a double holds exactly, apart
            from further digits of a fraction.
        :param metadata: Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of
            UTF-8 together. More is accepted if no value has more than 500 characters.
        :param external_id: Your own id of the avatar, unique in the project. No personal data: logs contain paths.
            Not blank, without control characters. Null if not set.
        """
        return await self._call("POST", "/avatars", options, body={"name": name, "persona": persona, "voice": to_wire(voice, shapes.VoiceInput), "imageUrl": image_url, "knowledgeTags": knowledge_tags, "model": to_wire(model, shapes.AvatarModelInput), "runtime": runtime, "metadata": metadata, "externalId": external_id}, takes="idempotency_key")

    async def put(
        self,
        external_id: str,
        *,
        name: str,
        persona: t.PersonaInput,
        voice: t.VoiceInput | None = NOT_GIVEN,
        image_url: str | None = NOT_GIVEN,
        knowledge_tags: Sequence[str] = NOT_GIVEN,
        model: t.AvatarModelInput | None = NOT_GIVEN,
        runtime: Any = NOT_GIVEN,
        metadata: t.MetadataParam = NOT_GIVEN,
        **options: Unpack[IfMatchOptions]
    ) -> t.UpsertedAvatar:
        """Create or update an avatar by externalId.

        Creates an avatar with this externalId, or replaces the content of the existing avatar and creates a new
        version. An omitted field gets its default. The status does not change: an archived avatar stays archived.

        You can repeat the request without an Idempotency-Key: it creates one avatar, and writes nothing if nothing
        has changed. With `If-Match`, only the avatar with this ETag is changed. Percent-encode the externalId.

        Requires the scope `avatars:write`.

        Errors of this operation: `project_archived` (409), `version_mismatch` (412).

        :param external_id: Your own id of the avatar, unique in the project. No personal data: logs contain paths.
            Not blank, without control characters.
        :param name: A display name. Not blank, without control characters.
        :param persona: Who the avatar is and how it speaks.
        :param voice: The voice of the avatar. Null if not set.
        :param image_url: The https address of its image, without a user name and a password. It is stored and
            shown as it was sent. Null if not set.
        :param knowledge_tags: The avatar knows the documents that have at least one of these tags.
        :param model: The model that answers for the avatar. Null if not set.
        :param runtime: JSON for your own runtime, such as its tools, its model and the settings of its voice. Null
            for none. The service does not interpret it. Do not store secrets in it: whoever reads the avatar reads
            it. At most 64 KB of UTF-8 as JSON and 100 levels. Numbers are those that a double holds exactly, apart
            from further digits of a fraction.
        :param metadata: Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of
            UTF-8 together. More is accepted if no value has more than 500 characters.
        """
        return await self._call("PUT", path_of("/avatars/by-external-id/", external_id), options, body={"name": name, "persona": persona, "voice": to_wire(voice, shapes.VoiceInput), "imageUrl": image_url, "knowledgeTags": knowledge_tags, "model": to_wire(model, shapes.AvatarModelInput), "runtime": runtime, "metadata": metadata}, takes="if_match")

    async def get(self, avatar_id: str, **options: Unpack[RequestOptions]) -> t.Avatar:
        """Get an avatar.

        Returns the latest version. `GET …/environments/{environment}/config` returns what an environment serves.

        Requires the scope `avatars:read`.

        :param avatar_id: The id of the avatar.
        """
        return await self._call("GET", path_of("/avatars/", avatar_id), options)

    async def update(
        self,
        avatar_id: str,
        *,
        external_id: str | None = NOT_GIVEN,
        name: str = NOT_GIVEN,
        persona: t.PersonaChange = NOT_GIVEN,
        voice: t.VoiceInput | None = NOT_GIVEN,
        image_url: str | None = NOT_GIVEN,
        knowledge_tags: Sequence[str] = NOT_GIVEN,
        model: t.AvatarModelInput | None = NOT_GIVEN,
        runtime: Any = NOT_GIVEN,
        metadata: t.MetadataParam = NOT_GIVEN,
        status: t.AvatarStatus = NOT_GIVEN,
        **options: Unpack[IfMatchOptions]
    ) -> t.Avatar:
        """Update an avatar.

        Changes the fields in the body and creates a new version. If nothing changes, there is no new version.

        In `persona`, only the fields in the body change. Every other field is replaced as a whole, including
        `voice`, `model`, `runtime` and `metadata`. Set `status` to `archived` to archive the avatar, and to
        `active` to use it again. Environments keep serving the deployed version until the next deployment.

        Requires the scope `avatars:write`.

        Errors of this operation: `external_id_taken` (409), `project_archived` (409), `version_mismatch` (412).

        :param avatar_id: The id of the avatar.
        :param external_id: Your own id of the avatar, unique in the project. No personal data: logs contain paths.
            Not blank, without control characters. Null if not set.
        :param name: A display name. Not blank, without control characters.
        :param persona: The changes to the character of the avatar and its way of speaking. Other fields keep their
            values.
        :param voice: The voice of the avatar. Null if not set.
        :param image_url: The https address of its image, without a user name and a password. It is stored and
            shown as it was sent. Null if not set.
        :param knowledge_tags: The avatar knows the documents that have at least one of these tags.
        :param model: The model that answers for the avatar. Null if not set.
        :param runtime: JSON for your own runtime, such as its tools, its model and the settings of its voice. Null
            for none. The service does not interpret it. Do not store secrets in it: whoever reads the avatar reads
            it. At most 64 KB of UTF-8 as JSON and 100 levels. Numbers are those that a double holds exactly, apart
            from further digits of a fraction.
        :param metadata: Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of
            UTF-8 together. More is accepted if no value has more than 500 characters.
        :param status: Whether deployments include the avatar: they include only active avatars.
        """
        return await self._call("PATCH", path_of("/avatars/", avatar_id), options, body={"externalId": external_id, "name": name, "persona": persona, "voice": to_wire(voice, shapes.VoiceInput), "imageUrl": image_url, "knowledgeTags": knowledge_tags, "model": to_wire(model, shapes.AvatarModelInput), "runtime": runtime, "metadata": metadata, "status": status}, takes="if_match")

    async def delete(self, avatar_id: str, **options: Unpack[IfMatchOptions]) -> t.Avatar:
        """Delete an avatar.

        Deletes the avatar permanently. An avatar that an environment serves cannot be deleted, nor one that the
        candidate of a rollout has: archive it and deploy first, or end the rollout. Earlier deployments keep their
        versions of the avatar, so you can still roll back to them.

        Requires the scope `avatars:write`.

        Errors of this operation: `avatar_in_use` (409), `project_archived` (409), `version_mismatch` (412).

        :param avatar_id: The id of the avatar.
        """
        return await self._call("DELETE", path_of("/avatars/", avatar_id), options, takes="if_match")


class AsyncAvatarsRaw:
    def __init__(self, methods: AsyncAvatarsMethods) -> None:
        self.list = raw_page(methods.list)
        self.create = raw(methods.create)
        self.put = raw(methods.put)
        self.get = raw(methods.get)
        self.update = raw(methods.update)
        self.delete = raw(methods.delete)


class AsyncAvatarsVersionsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncAvatarsVersionsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncAvatarsVersionsRaw(self)

    def list(
        self,
        avatar_id: str,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.AvatarVersion]:
        """List the versions of an avatar.

        Returns all versions, newest first. The first version is the current avatar.

        Requires the scope `avatars:read`.

        :param avatar_id: The id of the avatar.
        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        """
        return self._pages(path_of("/avatars/", avatar_id, "/versions"), options, {"limit": limit, "cursor": cursor})

    async def get(self, avatar_id: str, version: int, **options: Unpack[RequestOptions]) -> t.AvatarVersion:
        """Get a version of an avatar.

        Returns the version as it was created. Versions never change.

        Requires the scope `avatars:read`.

        :param avatar_id: The id of the avatar.
        :param version: The version of the avatar.
        """
        return await self._call("GET", path_of("/avatars/", avatar_id, "/versions/", version), options)


class AsyncAvatarsVersionsRaw:
    def __init__(self, methods: AsyncAvatarsVersionsMethods) -> None:
        self.list = raw_page(methods.list)
        self.get = raw(methods.get)


class AsyncConversationsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncConversationsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncConversationsRaw(self)

    def list(
        self,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        avatar_id: str = NOT_GIVEN,
        external_user_id: str = NOT_GIVEN,
        deployment_id: str = NOT_GIVEN,
        channel: str = NOT_GIVEN,
        tag: str = NOT_GIVEN,
        test: bool = NOT_GIVEN,
        score: Sequence[str] = NOT_GIVEN,
        status: t.ConversationStatus = NOT_GIVEN,
        started_from: str | datetime = NOT_GIVEN,
        started_before: str | datetime = NOT_GIVEN,
        external_id: str = NOT_GIVEN,
        order: Literal["newest", "oldest"] = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.Conversation]:
        """List conversations.

        Returns the current state with the effective scores, ordered by start. All filters can be combined.

        With selective filters, a page may have fewer than `limit` items, or no items. Continue until `next_cursor`
        is null. A cursor is valid only with the same filters and order.

        Requires the scope `conversations:read`.

        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        :param avatar_id: Only conversations with this avatar.
        :param external_user_id: Only conversations with this user. Not blank, without control characters.
        :param deployment_id: Only conversations with this deployment.
        :param channel: Only conversations on this channel. Not blank, without control characters.
        :param tag: Only conversations with this tag. Not blank, without control characters.
        :param test: Only test conversations, or with `false` only the others. Default: both.
        :param score: Only conversations whose effective scores hold: `csat:gte:3`, with `eq`, `ne`, `gt`, `gte`,
            `lt` or `lte`, or `csat:exists`. At most three, and all must hold. A conversation without a value of
            that name is left out, also by `ne`.
        :param status: Only conversations with this status.
        :param started_from: Only conversations started at this time or later.
        :param started_before: Only conversations started before this time.
        :param external_id: Only the conversation with this externalId. Not blank, without control characters.
        :param order: The order of their start.
        """
        return self._pages("/conversations", options, {"limit": limit, "cursor": cursor, "avatarId": avatar_id, "externalUserId": external_user_id, "deploymentId": deployment_id, "channel": channel, "tag": tag, "test": test, "score": score, "status": status, "startedFrom": started_from, "startedBefore": started_before, "externalId": external_id, "order": order})

    async def create(
        self,
        *,
        avatar_id: str,
        external_user_id: str | None = NOT_GIVEN,
        channel: str | None = NOT_GIVEN,
        tags: Sequence[str] = NOT_GIVEN,
        metadata: t.MetadataParam = NOT_GIVEN,
        deployment_id: str | None = NOT_GIVEN,
        test: bool = NOT_GIVEN,
        started_at: str | datetime = NOT_GIVEN,
        assignment: str | None = NOT_GIVEN,
        external_id: str | None = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.Conversation:
        """Start a conversation.

        Starts a conversation. To import an earlier conversation, send its `started_at`: lists sort by this time.
        The avatar and the deployment do not have to exist.

        A conversation ends with `POST …/end`. It ends by itself with the reason `timeout` if no message is stored
        for `conversation_timeout_minutes` (a setting of the project). The timeout counts from the time at which
        messages are stored, so you have time to complete an import. A `started_at` that is older than
        `retention_days` is refused.

        Requires the scope `conversations:write`. With `runtime:write`, only the conversations that the credential
        has created exist.

        Errors of this operation: `conversation_erased` (409), `external_id_taken` (409), `project_archived` (409).

        :param avatar_id: The id of the avatar that the conversation is with.
        :param external_user_id: Your own id of the user. Not blank, without control characters. Null if not set.
        :param channel: Where it takes place, such as `web`. Not blank, without control characters. Null if not
            set.
        :param tags: Labels to filter by.
        :param metadata: Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of
            UTF-8 together. More is accepted if no value has more than 500 characters.
        :param deployment_id: The id of the deployment that the avatar runs in. Null for no deployment. Default:
            that of the `assignment`, or null.
        :param test: Whether it is a test conversation, which statistics, automatic evaluations and rollouts leave
            out. Fixed when it is created.
        :param started_at: When it started. Default: now. For an import, when the conversation started. At most 5
            minutes in the future. In 1970 or later.
        :param assignment: The `assignment` of the configuration that the user has got, while a rollout runs:
            `<rollout id>.<span>.<variant>.<16 hex digits>`. Null for no assignment.
        :param external_id: Your own id of the conversation, unique in the project. No personal data: logs contain
            paths. Not blank, without control characters. Null if not set.
        """
        return await self._call("POST", "/conversations", options, body={"avatarId": avatar_id, "externalUserId": external_user_id, "channel": channel, "tags": tags, "metadata": metadata, "deploymentId": deployment_id, "test": test, "startedAt": started_at, "assignment": assignment, "externalId": external_id}, takes="idempotency_key")

    async def put(
        self,
        external_id: str,
        *,
        avatar_id: str,
        external_user_id: str | None = NOT_GIVEN,
        channel: str | None = NOT_GIVEN,
        tags: Sequence[str] = NOT_GIVEN,
        metadata: t.MetadataParam = NOT_GIVEN,
        deployment_id: str | None = NOT_GIVEN,
        test: bool = NOT_GIVEN,
        started_at: str | datetime = NOT_GIVEN,
        assignment: str | None = NOT_GIVEN,
        resume: bool = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.UpsertedConversation:
        """Create or update a conversation by externalId.

        Starts a conversation with this externalId, or replaces `tags` and `metadata` of the existing conversation.
        If `tags` or `metadata` is omitted, it becomes empty. The other fields are fixed: if a field differs from
        the existing conversation, the request gets 409 `conversation_mismatch`. An omitted `started_at` or
        `assignment` is not compared.

        You can repeat the request without an Idempotency-Key: it starts one conversation, and writes nothing if
        nothing has changed. If the conversation was erased, the request gets 409 `conversation_erased`, so a
        repeated import does not bring it back. Percent-encode the externalId.

        With `"resume": true`, an existing conversation is returned as it is, for a process that continues a call
        after a restart: `tags`, `metadata`, `deployment_id`, `assignment` and `started_at` are used only to start
        a conversation. The response has the stored ones: go on with its `deployment_id`. If `avatar_id`,
        `external_user_id`, `channel` or `test` is sent and differs, the request gets 409 `conversation_mismatch`.
        If the conversation has ended, it gets 409 `conversation_ended`, with the id in the message and as the
        `path` of its detail.

        Requires the scope `conversations:write`. With `runtime:write`, only the conversations that the credential
        has created exist.

        Errors of this operation: `conversation_ended` (409), `conversation_erased` (409), `conversation_mismatch`
        (409), `external_id_taken` (409), `project_archived` (409).

        :param external_id: Your own id of the conversation, unique in the project. No personal data: logs contain
            paths. Not blank, without control characters.
        :param avatar_id: The id of the avatar that the conversation is with.
        :param external_user_id: Your own id of the user. Not blank, without control characters. Null if not set.
        :param channel: Where it takes place, such as `web`. Not blank, without control characters. Null if not
            set.
        :param tags: Labels to filter by.
        :param metadata: Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of
            UTF-8 together. More is accepted if no value has more than 500 characters.
        :param deployment_id: The id of the deployment that the avatar runs in. Null for no deployment. Default:
            that of the `assignment`, or null.
        :param test: Whether it is a test conversation, which statistics, automatic evaluations and rollouts leave
            out. Fixed when it is created.
        :param started_at: When it started. Default: now. For an import, when the conversation started. At most 5
            minutes in the future. In 1970 or later.
        :param assignment: The `assignment` of the configuration that the user has got, while a rollout runs:
            `<rollout id>.<span>.<variant>.<16 hex digits>`. Null for no assignment.
        :param resume: Whether to return an existing conversation as it is, unless it has ended. Default: false.
        """
        return await self._call("PUT", path_of("/conversations/by-external-id/", external_id), options, body={"avatarId": avatar_id, "externalUserId": external_user_id, "channel": channel, "tags": tags, "metadata": metadata, "deploymentId": deployment_id, "test": test, "startedAt": started_at, "assignment": assignment, "resume": resume})

    async def erase(self, *, external_user_id: str, **options: Unpack[PostOptions]) -> t.ConversationsEraseJob:
        """Erase a user's conversations.

        Queues a job that erases all conversations with this `external_user_id` permanently, as `DELETE` erases one
        conversation. When the job has succeeded, their data is no longer stored, and `result` has their number.
        Conversations that are created after the request may be erased too. You can repeat the request: each job
        erases the conversations that exist when it runs.

        The identifier is in the body because logs contain paths. The job stores only its hash, in
        `result.externalUserIdSha256`. This also works in an archived project.

        A credential that is bound to environments is refused, because it could erase only a part of the
        conversations. It can erase those of its environments one by one.

        Requires the scope `conversations:write`.

        :param external_user_id: Your own id of the user. Not blank, without control characters.
        """
        return await self._call("POST", "/conversations/erase", options, body={"externalUserId": external_user_id}, takes="idempotency_key")

    async def import_(
        self,
        *,
        conversations: Sequence[t.ImportedConversation],
        **options: Unpack[PostOptions]
    ) -> t.ImportedConversations:
        """Import conversations.

        Stores up to 25 conversations with their messages. Each conversation is stored completely or not at all. If
        all conversations fit into one transaction, either all of them are stored or no conversation is stored. The
        results are in the order of the request.

        A conversation is stored once, with any Idempotency-Key. If a conversation with its externalId and the same
        content is stored, the result is `unchanged`, and nothing is written. Further messages of the stored
        conversation are not compared, and its end is compared only if `ended_at` is sent. For other content, the
        request gets 409 `conversation_mismatch`, and for an erased conversation 409 `conversation_erased`. The
        message names the conversation. All conversations are compared before the first conversation is stored.

        A transaction has room for 95 items: two for each conversation, one for each of its tags, its avatar, user,
        channel and deployment, one if it is a test, one for each message, and one more for each
        `client_message_id`. A new conversation with more items, or a request with more than 1000 messages, gets
        413 `import_too_large`. The message names the conversation. Import it with `POST
        …/conversations/import-file`.

        Requires the scope `conversations:write`.

        Errors of this operation: `conversation_erased` (409), `conversation_mismatch` (409), `external_id_taken`
        (409), `project_archived` (409).

        :param conversations: The conversations with their messages.
        """
        return await self._call("POST", "/conversations/import", options, body={"conversations": to_wire(conversations, shapes.ImportedConversation)}, takes="idempotency_key")

    async def import_file(self, *, upload_id: str, **options: Unpack[PostOptions]) -> t.ConversationsImportJob:
        """Import a file of conversations.

        Queues a job that imports an uploaded file of JSON lines, plain or compressed with gzip. A line is a
        conversation as in `POST …/conversations/import`, or as an export writes it. The `id` from an export
        identifies the conversation; ids of messages and storage times are ignored. A line with only `id` and
        `messages` continues the conversation of an earlier line.

        Each conversation is stored once, even if the file is imported again. A line that cannot be imported does
        not stop the other lines. The result of the job counts such lines, and lists the first 100 with their
        numbers. For a credential that is bound to environments, a line with a deployment of another environment
        fails with `not_found`, and a line of a stored conversation there with `external_id_taken`.

        An upload can be imported once. A file has at most 100 MB, 1 GB without compression, in 1 000 000 lines. A
        line has at most 8 MB.

        Requires the scope `conversations:write`.

        Errors of this operation: `project_archived` (409).

        :param upload_id: The id of the uploaded file.
        """
        return await self._call("POST", "/conversations/import-file", options, body={"uploadId": upload_id}, takes="idempotency_key")

    async def reindex(self, **options: Unpack[PostOptions]) -> t.ConversationsReindexJob:
        """Re-index the messages.

        Queues a job that builds the search index and the statistics of all conversations again, from the stored
        messages. Requests use the previous index and statistics until the job has succeeded. During the job, you
        can store, read and erase conversations. A re-index is only necessary if messages are not found, or if
        statistics are wrong.

        If a job is queued and has not started, the response is 200 with that job. If a job is running, a new job
        is queued behind it. Wait for the job at its `Location`: each GET returns when the job has ended, or after
        20 seconds.

        Requires the scope `conversations:write`.

        Errors of this operation: `project_archived` (409).
        """
        return await self._call("POST", "/conversations/reindex", options, takes="idempotency_key")

    def search(
        self,
        *,
        q: str,
        hide_tools: bool = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        avatar_id: str = NOT_GIVEN,
        external_user_id: str = NOT_GIVEN,
        deployment_id: str = NOT_GIVEN,
        channel: str = NOT_GIVEN,
        tag: str = NOT_GIVEN,
        test: bool = NOT_GIVEN,
        score: Sequence[str] = NOT_GIVEN,
        status: t.ConversationStatus = NOT_GIVEN,
        started_from: str | datetime = NOT_GIVEN,
        started_before: str | datetime = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.MessageHit]:
        """Search messages.

        Returns the messages that contain all words of `q`, as whole words, in any language. Words in quotation
        marks must follow each other. Case, accents and width are ignored. Emoji count as words. The filters are
        the same as in the list of conversations. Results are sorted by the start of the conversation, newest
        first, and then by message, latest first.

        New messages are found after a few seconds: `indexed_through` shows the progress. Erased and expired
        messages are not found. In a long message, only the text before its 501st different word is searched.

        One request reads a limited number of messages and a limited amount of text. A page may have fewer than
        `limit` items, or no items. Continue until `next_cursor` is null.

        Requires the scope `conversations:read`.

        :param q: Words, and phrases in quotation marks.
        :param hide_tools: Whether to leave out messages of the role `tool`.
        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        :param avatar_id: Only conversations with this avatar.
        :param external_user_id: Only conversations with this user. Not blank, without control characters.
        :param deployment_id: Only conversations with this deployment.
        :param channel: Only conversations on this channel. Not blank, without control characters.
        :param tag: Only conversations with this tag. Not blank, without control characters.
        :param test: Only test conversations, or with `false` only the others. Default: both.
        :param score: Only conversations whose effective scores hold: `csat:gte:3`, with `eq`, `ne`, `gt`, `gte`,
            `lt` or `lte`, or `csat:exists`. At most three, and all must hold. A conversation without a value of
            that name is left out, also by `ne`.
        :param status: Only conversations with this status.
        :param started_from: Only conversations started at this time or later.
        :param started_before: Only conversations started before this time.
        """
        return self._pages("/conversations/search", options, {"q": q, "hideTools": hide_tools, "limit": limit, "cursor": cursor, "avatarId": avatar_id, "externalUserId": external_user_id, "deploymentId": deployment_id, "channel": channel, "tag": tag, "test": test, "score": score, "status": status, "startedFrom": started_from, "startedBefore": started_before})

    async def stats(
        self,
        *,
        group_by: Literal["day", "avatar", "channel", "deployment"] | str = NOT_GIVEN,
        score: str = NOT_GIVEN,
        test: bool = NOT_GIVEN,
        from_: str | datetime = NOT_GIVEN,
        to: str | datetime = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.ConversationStats:
        """Count conversations.

        Counts conversations by the day (UTC) on which they started. The range is extended to whole days. Changes
        are counted in the background, usually within seconds. Erased conversations are not counted. Test
        conversations are counted apart: `test=true` returns their counts. Conversations older than
        `retention_days` are not counted either, except on the day on which the retention period begins.

        `score=csat` adds the values of this score to each item and to the totals. `groupBy=score:csat` has an item
        for each value: `true` and `false`, the categories, the whole numbers if there are at most eleven, or else
        ten ranges of numbers. Only the effective score of a conversation counts.

        A range with more than 10 000 combinations of day, avatar, deployment and channel, or more than 10 000
        items and shares, is refused with `stats_too_large`. Request shorter ranges. For a credential that is bound
        to environments, `groupBy=avatar` and `groupBy=channel` count at most 10 000 conversations of the project.

        Requires the scope `conversations:read`.

        Errors of this operation: `stats_too_large` (409).

        :param group_by: The property that groups the counts: `day`, `avatar`, `channel`, `deployment`, or `score:`
            and the name of an evaluator. Items are sorted by key, and those of a score by value. Values: `day`,
            `avatar`, `channel`, `deployment`. More may be added.
        :param score: The name of an evaluator whose scores are counted. With `groupBy=score:…`, only the same
            name.
        :param test: Whether to count test conversations instead of the others.
        :param from_: Start of the range. Default: 30 days, including the last day.
        :param to: End of the range, exclusive. Default: now. At most 366 days after `from`.
        """
        return await self._call("GET", "/conversations/stats", options, query={"groupBy": group_by, "score": score, "test": test, "from": from_, "to": to})

    async def get(self, conversation_id: str, **options: Unpack[RequestOptions]) -> t.Conversation:
        """Get a conversation.

        Returns the conversation with its effective scores, without its messages. `GET …/transcript` returns the
        messages, `GET …/scores` all scores.

        Requires the scope `conversations:read`. With `runtime:write`, only the conversations that the credential
        has created exist.

        :param conversation_id: The id of the conversation.
        """
        return await self._call("GET", path_of("/conversations/", conversation_id), options)

    async def update(
        self,
        conversation_id: str,
        *,
        tags: Sequence[str] = NOT_GIVEN,
        metadata: t.MetadataParam = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.Conversation:
        """Update a conversation.

        Replaces the fields in the body, also after the conversation has ended. An update does not count as
        activity, so it does not delay the timeout.

        Requires the scope `conversations:write`.

        Errors of this operation: `project_archived` (409).

        :param conversation_id: The id of the conversation.
        :param tags: Labels to filter by.
        :param metadata: Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of
            UTF-8 together. More is accepted if no value has more than 500 characters.
        """
        return await self._call("PATCH", path_of("/conversations/", conversation_id), options, body={"tags": tags, "metadata": metadata})

    async def delete(self, conversation_id: str, **options: Unpack[RequestOptions]) -> t.ErasedConversation:
        """Erase a conversation.

        Erases the conversation permanently. From this response on, nobody can read or find the conversation or its
        messages. The stored data is removed afterwards, usually within seconds; `purged_at` is null until then.
        Repeat the request to get `purged_at`: an erased conversation returns 200.

        Before `purged_at`, a POST that is repeated with its `Idempotency-Key` still gets the stored response.
        After `purged_at`, it gets 404.

        This also works in an archived project.

        Requires the scope `conversations:write`.

        :param conversation_id: The id of the conversation.
        """
        return await self._call("DELETE", path_of("/conversations/", conversation_id), options)

    async def end(
        self,
        conversation_id: str,
        *,
        reason: str,
        ended_at: str | datetime = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.Conversation:
        """End a conversation.

        Ends the conversation: new messages are refused. A conversation that has already ended, also by timeout, is
        returned unchanged.

        Requires the scope `conversations:write`. With `runtime:write`, only the conversations that the credential
        has created exist.

        Errors of this operation: `project_archived` (409).

        :param conversation_id: The id of the conversation.
        :param reason: Why it ended: `completed`, `abandoned`, `error`, or your own word. Not blank, without
            control characters.
        :param ended_at: When the conversation ended: not before its start or its last message, and at most 5
            minutes in the future. Default: now. Send it for an import. In 1970 or later.
        """
        return await self._call("POST", path_of("/conversations/", conversation_id, "/end"), options, body={"reason": reason, "endedAt": ended_at}, takes="idempotency_key")

    async def append(
        self,
        conversation_id: str,
        *,
        messages: Sequence[t.MessageInput],
        **options: Unpack[PostOptions]
    ) -> t.AppendedMessages:
        """Add messages to a conversation.

        Adds all messages or no message. Messages are numbered in the order of the request, even if several
        requests add messages at the same time.

        A message with a `client_message_id` that is already stored, or that is repeated in the request, adds
        nothing. The response has the stored message with `"duplicate": true`. If the role, text, citations or
        metadata differ, the request is refused. Such a repeated message is accepted even after the conversation
        has ended, so that a late retry succeeds.

        To read messages, use `GET …/transcript`.

        Requires the scope `conversations:write`. With `runtime:write`, only the conversations that the credential
        has created exist.

        Errors of this operation: `conversation_ended` (409), `project_archived` (409).

        :param conversation_id: The id of the conversation.
        :param messages: The messages, in order.
        """
        return await self._call("POST", path_of("/conversations/", conversation_id, "/messages"), options, body={"messages": to_wire(messages, shapes.MessageInput)}, takes="idempotency_key")

    async def transcript(
        self,
        conversation_id: str,
        *,
        after_seq: int = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        wait_seconds: int = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.Transcript:
        """Get the messages of a conversation.

        Returns messages in order, also while the conversation is active. To read all messages, send `afterSeq=0`,
        and then `next_after_seq` of each response as `after_seq`, until `final` is true. A page of large messages
        may have fewer than `limit`.

        Lists have `items`, newest first, and end with `nextCursor: null`. A transcript has `messages`, oldest
        first, and grows while it is read. So `next_after_seq` is always a number, also on a page without messages,
        and `final` says that no message follows.

        With `wait_seconds`, the response is sent when there is a new message or the conversation ends, or without
        messages when the time is up. If the key is revoked or the project is deleted, the wait ends with the error
        that a new request would get.

        Requires the scope `conversations:read`. With `runtime:write`, only the conversations that the credential
        has created exist.

        :param conversation_id: The id of the conversation.
        :param after_seq: Only messages with a higher `seq`: `next_after_seq` of the previous page.
        :param limit: The maximum number of messages in the page.
        :param wait_seconds: How long to wait for a message after `after_seq` while the conversation is active. At
            most 10 requests per credential and 50 per organisation and mode can wait. A further request gets its
            response at once, with `Retry-After`.
        """
        return await self._call("GET", path_of("/conversations/", conversation_id, "/transcript"), options, query={"afterSeq": after_seq, "limit": limit, "waitSeconds": wait_seconds})


class AsyncConversationsRaw:
    def __init__(self, methods: AsyncConversationsMethods) -> None:
        self.list = raw_page(methods.list)
        self.create = raw(methods.create)
        self.put = raw(methods.put)
        self.erase = raw(methods.erase)
        self.import_ = raw(methods.import_)
        self.import_file = raw(methods.import_file)
        self.reindex = raw(methods.reindex)
        self.search = raw_page(methods.search)
        self.stats = raw(methods.stats)
        self.get = raw(methods.get)
        self.update = raw(methods.update)
        self.delete = raw(methods.delete)
        self.end = raw(methods.end)
        self.append = raw(methods.append)
        self.transcript = raw(methods.transcript)


class AsyncConversationsScoresMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncConversationsScoresRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncConversationsScoresRaw(self)

    def list(
        self,
        conversation_id: str,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.Score]:
        """List the scores of a conversation.

        Returns all scores: one for each evaluator, version, source and number of messages. They are sorted by name
        in descending order. The effective score of each name comes first.

        Requires the scope `conversations:read`.

        :param conversation_id: The id of the conversation.
        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        """
        return self._pages(path_of("/conversations/", conversation_id, "/scores"), options, {"limit": limit, "cursor": cursor})

    async def put(
        self,
        conversation_id: str,
        name: str,
        *,
        value: Any,
        rationale: str | None = NOT_GIVEN,
        evidence: Sequence[int] = NOT_GIVEN,
        source: t.SentScoreSource = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.Score:
        """Set a score of a conversation.

        Stores a score of the evaluator with this name, of any kind: from your program (`api`), or from a person
        (`human`). It is about the messages that are stored now, and of the current version of the evaluator. If
        there is such a score of the same source, it is replaced. Scores of other sources stay. You can repeat the
        request without an Idempotency-Key: it writes nothing if nothing has changed.

        Lists, filters and statistics use the effective score of each name: that of a person before that of a
        program, and both before those of models and rules. This also works after the conversation has ended, and
        with an archived evaluator.

        Requires the scope `conversations:write`.

        Errors of this operation: `project_archived` (409).

        :param conversation_id: The id of the conversation.
        :param name: The name of the evaluator and of its scores, unique in the project.
        :param value: A value of the output of the evaluator.
        :param rationale: Why it has this value. Without control characters other than tabs and line breaks. Null
            if not set.
        :param evidence: The messages that show it, by their `seq`.
        :param source: Who gives the score: your program (`api`), or a person (`human`).
        """
        return await self._call("PUT", path_of("/conversations/", conversation_id, "/scores/", name), options, body={"value": value, "rationale": rationale, "evidence": evidence, "source": source})


class AsyncConversationsScoresRaw:
    def __init__(self, methods: AsyncConversationsScoresMethods) -> None:
        self.list = raw_page(methods.list)
        self.put = raw(methods.put)


class AsyncDeploymentsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncDeploymentsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncDeploymentsRaw(self)

    def list(
        self,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        environment: str = NOT_GIVEN,
        phase: t.DeploymentPhase = NOT_GIVEN,
        sha: str = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.Deployment]:
        """List deployments.

        Returns deployments, newest first.

        With a selective filter, a page may have fewer than `limit` items, or no items. Continue until
        `next_cursor` is null.

        Requires the scope `deploy:read`.

        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        :param environment: Only deployments to this environment.
        :param phase: Only deployments in this phase.
        :param sha: Only deployments whose commit starts with these digits.
        """
        return self._pages("/deployments", options, {"limit": limit, "cursor": cursor, "environment": environment, "phase": phase, "sha": sha})

    async def create(
        self,
        *,
        environment: str,
        from_: t.DeploymentSource = NOT_GIVEN,
        git: t.GitCommitInput | None = NOT_GIVEN,
        reason: str | None = NOT_GIVEN,
        promote: bool = NOT_GIVEN,
        if_changed: bool = NOT_GIVEN,
        strict: bool = NOT_GIVEN,
        strict_notes: bool = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.CreatedDeployment:
        """Deploy a project.

        Freezes the active avatars (at most 100) and the published knowledge index at one moment. Then the
        deployment is promoted: its environment serves it. With `"promote": false`, or while a rollback pins the
        environment or a rollout runs in it (`held_back`), the deployment stays staged.

        With `"ifChanged": true`, nothing is deployed if the current deployment has the same `config_hash`. The
        response is then 200 with that deployment. `warnings` counts documents that are `pending`, `failed` or read
        in part and not `ignored`, with the reasons of the first five, and avatars whose `knowledge_tags` no
        document has. A warning also says if there is nothing to deploy. With `"strict": true`, a warning is an
        error, and nothing is deployed: the details of the error name the documents. Documents that were read in
        part are an error only with `"strictNotes": true`.

        With `from`, the deployment has the frozen avatars and the index of a deployment of another environment, in
        place of the project: the same `config_hash`, and the same `git`. So you deploy what you have tested,
        whatever has changed since. There are no warnings.

        Use one `Idempotency-Key` per run, not per commit: within 24 hours, the same key returns the same
        deployment, even if avatars or knowledge have changed.

        Requires the scope `deploy:write`.

        Errors of this operation: `deployment_has_warnings` (409), `deployment_too_large` (409), `index_retired`
        (409), `project_archived` (409), `too_many_avatars` (409).

        :param environment: The name of the environment. The first deployment to it creates it.
        :param from_: What is promoted: a deployment, or the current deployment of an environment.
        :param git: The commit to deploy. Null for no commit. Not with `from`.
        :param reason: The reason, for people. Null if not set.
        :param promote: Whether the environment serves it at once. Default: true.
        :param if_changed: Whether to deploy only if something differs from the current deployment. Default: false.
        :param strict: Whether to refuse a deployment that has warnings other than `documents_read_in_part`: 409.
            Not with `from`. Default: false.
        :param strict_notes: Whether to refuse a deployment that has the warning `documents_read_in_part`: 409. Not
            with `from`. Default: false.
        """
        return await self._call("POST", "/deployments", options, body={"environment": environment, "from": to_wire(from_, shapes.DeploymentSource), "git": git, "reason": reason, "promote": promote, "ifChanged": if_changed, "strict": strict, "strictNotes": strict_notes}, takes="idempotency_key")

    async def get(self, deployment_id: str, **options: Unpack[RequestOptions]) -> t.Deployment:
        """Get a deployment.

        Returns a deployment. Its phase can change. Its content changes only if a document is expunged.

        Requires the scope `deploy:read`.

        :param deployment_id: The id of the deployment.
        """
        return await self._call("GET", path_of("/deployments/", deployment_id), options)

    def changes(
        self,
        deployment_id: str,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        since: str = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.DeploymentChange]:
        """List the changes of a deployment.

        Returns the avatars and the documents that differ from another deployment, first the avatars. Without
        `since`, the other deployment is the deployment that the environment served before. If the environment does
        not serve the deployment and would not roll back to it, for example if it is staged, the other deployment
        is the current deployment. A page may have fewer items than `limit`, also no items: continue while
        `next_cursor` is not null.

        Requires the scope `deploy:read`.

        :param deployment_id: The id of the deployment.
        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        :param since: The deployment to compare with, of any environment of the project.
        """
        return self._pages(path_of("/deployments/", deployment_id, "/changes"), options, {"limit": limit, "cursor": cursor, "since": since})

    @overload
    async def config(self, deployment_id: str, **options: Unpack[RequestOptions]) -> t.EnvironmentConfig: ...

    @overload
    async def config(
        self,
        deployment_id: str,
        *,
        if_none_match: str | None,
        **options: Unpack[RequestOptions]
    ) -> t.EnvironmentConfig | None: ...

    async def config(
        self,
        deployment_id: str,
        *,
        if_none_match: str | None = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> Any:
        """Get the configuration of a deployment.

        Returns the data that a runtime needs, in any phase of the deployment. A conversation that began before a
        promotion or a rollback ends with its avatars, and with `deployment_id` in the search also with its
        knowledge. The configuration changes only if a document is expunged: then the index without this document
        replaces the old index. Send the `ETag` as `If-None-Match` to get 304 without a body if nothing has
        changed.

        Requires the scope `deploy:read` or `runtime:read`.

        :param deployment_id: The id of the deployment.
        """
        return await self._call("GET", path_of("/deployments/", deployment_id, "/config"), {**options, "if_none_match": if_none_match}, takes="if_none_match")

    async def promote(self, deployment_id: str, **options: Unpack[PostOptions]) -> t.Deployment:
        """Promote a deployment.

        Makes the deployment current: its environment serves it at once. Nothing is built. If a rollback has pinned
        the environment, the pin ends, and new deployments are promoted again. If the deployment is already
        current, only the pin ends. While a rollout runs, only its candidate can be promoted, which completes the
        rollout. A deployment of a deleted environment cannot be promoted, unless the environment has come back and
        the index is still kept.

        Requires the scope `deploy:write`.

        Errors of this operation: `index_retired` (409), `project_archived` (409), `rollout_running` (409).

        :param deployment_id: The id of the deployment.
        """
        return await self._call("POST", path_of("/deployments/", deployment_id, "/promote"), options, takes="idempotency_key")

    async def rollback(
        self,
        *,
        environment: str,
        deployment_id: str = NOT_GIVEN,
        reason: str | None = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.Environment:
        """Roll back an environment.

        Makes an earlier deployment current again, with its avatars and knowledge: the previous deployment, or the
        deployment in `deployment_id`. The rollback takes effect at once.

        The environment is then pinned: new deployments stay staged until you promote a deployment with `POST
        …/deployments/{deployment_id}/promote`. Two rollbacks go back two steps.

        While a rollout runs, its end is the default: everybody gets the current deployment, and the rollout is
        `aborted`.

        Requires the scope `deploy:write`.

        Errors of this operation: `deployment_never_current` (409), `environment_mismatch` (409), `index_retired`
        (409), `nothing_to_roll_back` (409), `project_archived` (409).

        :param environment: The name of the environment. The first deployment to it creates it.
        :param deployment_id: The deployment to return to. Default: the `previous` deployment of the environment.
        :param reason: The reason, for people. Null if not set.
        """
        return await self._call("POST", "/rollback", options, body={"environment": environment, "deploymentId": deployment_id, "reason": reason}, takes="idempotency_key")


class AsyncDeploymentsRaw:
    def __init__(self, methods: AsyncDeploymentsMethods) -> None:
        self.list = raw_page(methods.list)
        self.create = raw(methods.create)
        self.get = raw(methods.get)
        self.changes = raw_page(methods.changes)
        self.config = raw(methods.config)
        self.promote = raw(methods.promote)
        self.rollback = raw(methods.rollback)


class AsyncDownloadsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncDownloadsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncDownloadsRaw(self)

    def list(
        self,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.Download]:
        """List downloads.

        Returns the command line and the clients of this deployment: first those of the version that it runs, then
        those of earlier versions. npm and pip install them without a registry. A deployment keeps the files of its
        last ten releases.

        Requires no credential.

        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        """
        return self._pages("/downloads", options, {"limit": limit, "cursor": cursor})


class AsyncDownloadsRaw:
    def __init__(self, methods: AsyncDownloadsMethods) -> None:
        self.list = raw_page(methods.list)


class AsyncEnvironmentsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncEnvironmentsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncEnvironmentsRaw(self)

    def list(
        self,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.Environment]:
        """List environments.

        Returns environments, sorted by name. The first deployment to an environment creates it.

        Requires the scope `deploy:read`.

        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        """
        return self._pages("/environments", options, {"limit": limit, "cursor": cursor})

    async def get(self, name: str, **options: Unpack[RequestOptions]) -> t.Environment:
        """Get an environment.

        Returns the current deployment, the deployment to which a rollback returns, and whether the environment is
        pinned.

        Requires the scope `deploy:read`.

        :param name: The name of the environment. The first deployment to it creates it.
        """
        return await self._call("GET", path_of("/environments/", name), options)

    async def delete(self, name: str, **options: Unpack[RequestOptions]) -> t.Environment:
        """Delete an environment.

        Deletes the environment: it serves nothing any more. Its deployments stay readable, and become
        `superseded`. An index that no deployment of another environment has is kept for 7 more days, in which
        calls can search it with their `deployment_id`. A search, rollback or deployment with a retired index is
        409 `index_retired`. The next deployment to the name creates an environment with an empty history. While a
        rollout runs, the request is 409 `environment_has_rollout`.

        Requires the scope `deploy:write`.

        Errors of this operation: `environment_has_rollout` (409), `project_archived` (409).

        :param name: The name of the environment. The first deployment to it creates it.
        """
        return await self._call("DELETE", path_of("/environments/", name), options)

    @overload
    async def config(
        self,
        name: str,
        *,
        unit: str = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.EnvironmentConfig: ...

    @overload
    async def config(
        self,
        name: str,
        *,
        if_none_match: str | None,
        unit: str = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.EnvironmentConfig | None: ...

    async def config(
        self,
        name: str,
        *,
        if_none_match: str | None = NOT_GIVEN,
        unit: str = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> Any:
        """Get the configuration of an environment.

        Returns the data that a runtime needs: the avatars and the knowledge index of the current deployment. To
        poll, send the `ETag` as `If-None-Match`. If nothing has changed, the response is 304 without a body. A
        conversation that keeps its `deployment_id` goes on with `GET …/deployments/{deployment_id}/config` after
        the next promotion.

        While a rollout runs, `rollout` says which part of the units gets the candidate. With `unit`, the
        configuration is that of the unit: of the current deployment, or of the candidate. Send its
        `rollout.assignment` with the conversation.

        Requires the scope `deploy:read` or `runtime:read`.

        :param name: The name of the environment. The first deployment to it creates it.
        :param unit: Who uses the service, usually your id of the user: while a rollout runs, its variant is that
            of this unit. It is neither stored nor logged.
        """
        return await self._call("GET", path_of("/environments/", name, "/config"), {**options, "if_none_match": if_none_match}, query={"unit": unit}, takes="if_none_match")


class AsyncEnvironmentsRaw:
    def __init__(self, methods: AsyncEnvironmentsMethods) -> None:
        self.list = raw_page(methods.list)
        self.get = raw(methods.get)
        self.delete = raw(methods.delete)
        self.config = raw(methods.config)


class AsyncEvaluationRunsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncEvaluationRunsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncEvaluationRunsRaw(self)

    async def create(
        self,
        *,
        filter: t.EvaluationFilter = NOT_GIVEN,
        evaluators: Sequence[str] = NOT_GIVEN,
        draft: t.EvaluatorDraft = NOT_GIVEN,
        dry_run: bool = NOT_GIVEN,
        preview: bool = NOT_GIVEN,
        max_cost_usd: float = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.ConversationsEvaluateJob:
        """Evaluate conversations.

        Queues a job that scores the conversations that match the filter and have started by now, oldest first,
        with evaluators of the kinds `rule` and `model`. The run uses the versions that are current now. It skips
        scores that are stored, so a run after another one only gives what is missing. An evaluator that is
        archived or paused meanwhile is left out.

        The runs of a project wait for each other. Dry runs and previews store no score, and wait for nobody.

        Each call of a model reserves the most that it can cost before it is sent. If that does not fit into
        `max_cost_usd` or the quota `model_cost_usd` of the day, the job succeeds with what it has done, and
        `stopped_because` says why.

        The run of a credential that is bound to environments leaves out the conversations of other environments.

        Requires the scope `conversations:write`.

        Errors of this operation: `project_archived` (409).

        :param filter: Which conversations to evaluate. Empty for all that are no tests.
        :param evaluators: The evaluators, by name or id. Default: all active evaluators of the kinds `rule` and
            `model` that are not paused.
        :param draft: Only with `preview`: an evaluator that is not stored, instead of `evaluators`.
        :param dry_run: Whether it only counts: the result has what a run would do, with an estimate of its cost.
        :param preview: Whether it evaluates only the newest conversations, at most 10, with at most 10 evaluators,
            and stores no score: `result.preview` of the job has the scores, for an hour.
        :param max_cost_usd: The most that the run may cost, in US dollars. A call whose highest possible cost does
            not fit ends the run. Required if a model is used, except for a dry run.
        """
        return await self._call("POST", "/evaluation-runs", options, body={"filter": to_wire(filter, shapes.EvaluationFilter), "evaluators": evaluators, "draft": to_wire(draft, shapes.EvaluatorDraft), "dryRun": dry_run, "preview": preview, "maxCostUsd": max_cost_usd}, takes="idempotency_key")


class AsyncEvaluationRunsRaw:
    def __init__(self, methods: AsyncEvaluationRunsMethods) -> None:
        self.create = raw(methods.create)


class AsyncEvaluatorsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncEvaluatorsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncEvaluatorsRaw(self)

    def list(
        self,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        name: str = NOT_GIVEN,
        kind: t.EvaluatorKind = NOT_GIVEN,
        status: t.EvaluatorStatus = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.Evaluator]:
        """List evaluators.

        Returns the current state, newest first.

        With a selective filter, a page may have fewer than `limit` items, or no items. Continue until
        `next_cursor` is null.

        Requires the scope `conversations:read`.

        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        :param name: Only the evaluator with this name.
        :param kind: Only evaluators of this kind.
        :param status: Only evaluators with this status.
        """
        return self._pages("/evaluators", options, {"limit": limit, "cursor": cursor, "name": name, "kind": kind, "status": status})

    async def create(
        self,
        *,
        name: str,
        kind: t.EvaluatorKind,
        description: str | None = NOT_GIVEN,
        output: t.ScoreOutputParam = NOT_GIVEN,
        rule: t.EvaluatorRuleParam | None = NOT_GIVEN,
        model: t.EvaluatorModelInput | None = NOT_GIVEN,
        applies_to: t.EvaluatorScopeParam = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.Evaluator:
        """Create an evaluator.

        Creates an active evaluator with version 1: a way to score conversations. `name`, `kind` and `output` never
        change, because scores are stored, filtered and counted by them. A project can have 50 evaluators.

        Evaluators of the kinds `rule` and `model` score a conversation by themselves when it ends, on behalf of
        the credential that has set them. Imported conversations (also those stored more than an hour after their
        start), and those that ended before, are scored by `POST …/evaluation-runs`. `PUT
        …/conversations/{conversation_id}/scores/{name}` sends scores of any evaluator.

        Requires the scope `conversations:write`.

        Errors of this operation: `evaluator_name_taken` (409), `project_archived` (409), `too_many_evaluators`
        (409).

        :param name: The name of the evaluator and of its scores, unique in the project.
        :param kind: Where its scores come from: the service checks a `rule`, a `model` answers a question, or you
            send them (`external`).
        :param description: What it is about. Null for nothing.
        :param output: The values of its scores. Required, except for a rule: its output is boolean.
        :param rule: The condition that a conversation meets or not. Null if not set.
        :param model: A model to give the score, and its question. Null if not set.
        :param applies_to: The conversations that it is for. All given values must be equal. Empty for all.
        """
        return await self._call("POST", "/evaluators", options, body={"name": name, "description": description, "kind": kind, "output": to_wire(output, shapes.ObjectOutput), "rule": to_wire(rule, shapes.EvaluatorRule), "model": to_wire(model, shapes.EvaluatorModelInput), "appliesTo": to_wire(applies_to, shapes.EvaluatorScope)}, takes="idempotency_key")

    async def get(self, evaluator_id: str, **options: Unpack[RequestOptions]) -> t.Evaluator:
        """Get an evaluator.

        Returns the latest version.

        Requires the scope `conversations:read`.

        :param evaluator_id: The id of the evaluator.
        """
        return await self._call("GET", path_of("/evaluators/", evaluator_id), options)

    async def update(
        self,
        evaluator_id: str,
        *,
        description: str | None = NOT_GIVEN,
        rule: t.EvaluatorRuleParam = NOT_GIVEN,
        model: t.EvaluatorModelInput = NOT_GIVEN,
        applies_to: t.EvaluatorScopeParam = NOT_GIVEN,
        status: t.EvaluatorStatus = NOT_GIVEN,
        paused: bool = NOT_GIVEN,
        **options: Unpack[IfMatchOptions]
    ) -> t.Evaluator:
        """Update an evaluator.

        Replaces the fields in the body and creates a new version. If nothing changes, there is no new version.
        Scores of earlier versions stay. A run that has started keeps its versions.

        An evaluator cannot be deleted, because scores name it. Set `status` to `archived` to end its use, or
        `paused` to interrupt it. After a change of anything but `description`, it acts on behalf of the credential
        that sends this request.

        Requires the scope `conversations:write`.

        Errors of this operation: `project_archived` (409), `version_mismatch` (412).

        :param evaluator_id: The id of the evaluator.
        :param description: What it is about. Null for nothing.
        :param rule: The condition that a conversation meets or not.
        :param model: A model to give the score, and its question.
        :param applies_to: The conversations that it is for. All given values must be equal. Empty for all.
        :param status: Whether it is used: an `archived` evaluator scores no further conversations by itself or in
            runs.
        :param paused: Whether it scores no conversations.
        """
        return await self._call("PATCH", path_of("/evaluators/", evaluator_id), options, body={"description": description, "rule": to_wire(rule, shapes.EvaluatorRule), "model": to_wire(model, shapes.EvaluatorModelInput), "appliesTo": to_wire(applies_to, shapes.EvaluatorScope), "status": status, "paused": paused}, takes="if_match")


class AsyncEvaluatorsRaw:
    def __init__(self, methods: AsyncEvaluatorsMethods) -> None:
        self.list = raw_page(methods.list)
        self.create = raw(methods.create)
        self.get = raw(methods.get)
        self.update = raw(methods.update)


class AsyncEvaluatorsVersionsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncEvaluatorsVersionsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncEvaluatorsVersionsRaw(self)

    def list(
        self,
        evaluator_id: str,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.EvaluatorVersion]:
        """List the versions of an evaluator.

        Returns all versions, newest first. The first version is the current evaluator.

        Requires the scope `conversations:read`.

        :param evaluator_id: The id of the evaluator.
        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        """
        return self._pages(path_of("/evaluators/", evaluator_id, "/versions"), options, {"limit": limit, "cursor": cursor})

    async def get(self, evaluator_id: str, version: int, **options: Unpack[RequestOptions]) -> t.EvaluatorVersion:
        """Get a version of an evaluator.

        Returns the version as it was created. Versions never change.

        Requires the scope `conversations:read`.

        :param evaluator_id: The id of the evaluator.
        :param version: The version of the evaluator.
        """
        return await self._call("GET", path_of("/evaluators/", evaluator_id, "/versions/", version), options)


class AsyncEvaluatorsVersionsRaw:
    def __init__(self, methods: AsyncEvaluatorsVersionsMethods) -> None:
        self.list = raw_page(methods.list)
        self.get = raw(methods.get)


class AsyncEventsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncEventsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncEventsRaw(self)

    def list(
        self,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        type: t.EventsListType = NOT_GIVEN,
        resource_id: str = NOT_GIVEN,
        project_id: str = NOT_GIVEN,
        from_: str | datetime = NOT_GIVEN,
        to: str | datetime = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.PlatformEvent]:
        """List events.

        Returns the events of the last 30 days, newest first, for consumers that were offline. A credential that is
        bound to projects gets only the events of these projects. A credential gets only events whose `data` it may
        read: events of conversations require `conversations:read`, as the GET of a conversation does. If the
        credential may read no event of the requested `type`, the request gets 403 `insufficient_scope`.

        `data` is the resource as its GET showed it when the event was written, usually within a second of the
        change. It never has a secret or the text of a message. When the resource is erased or permanently deleted,
        `data` is reduced to its id.

        An event is sorted by the start of its request. So events of the last minute may still appear, also between
        events that you have read. With several filters, a page may have fewer than `limit` items, or no items.
        Continue until `next_cursor` is null.

        Requires the scope `events:read`.

        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        :param type: Only events of this type, or of all types of a kind of resource, such as `project.*`.
        :param resource_id: Only events of this resource: its id, or the name of an environment.
        :param project_id: Only events of this project.
        :param from_: Only events at this time or later.
        :param to: Only events before this time.
        """
        return self._pages("/events", options, {"limit": limit, "cursor": cursor, "type": type, "resourceId": resource_id, "projectId": project_id, "from": from_, "to": to})

    async def get(self, event_id: str, **options: Unpack[RequestOptions]) -> t.PlatformEvent:
        """Get an event.

        Returns an event, for 30 days. It also requires the scope that reads the resource in its `data`:
        `conversations:read` for a conversation. A credential that is bound to projects gets 404 for the events of
        other projects.

        Requires the scope `events:read`.

        :param event_id: The id of the event.
        """
        return await self._call("GET", path_of("/events/", event_id), options)


class AsyncEventsRaw:
    def __init__(self, methods: AsyncEventsMethods) -> None:
        self.list = raw_page(methods.list)
        self.get = raw(methods.get)


class AsyncExportsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncExportsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncExportsRaw(self)

    async def create(
        self,
        *,
        what: Literal["conversations"] | Literal["documents"] | Literal["audit"],
        filters: t.ConversationExportFilters | t.DocumentExportFilters | t.AuditExportFilters = NOT_GIVEN,
        format: Literal["jsonl"] = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.Job:
        """Export data.

        Queues a job that writes conversations with their messages, documents with their contents, or the project's
        audit events into files: JSON lines, compressed with gzip. The filters are the filters of the lists. The
        request requires the scope that reads the content: `conversations:read`, `knowledge:read` or `audit:read`.

        `GET …/exports/{job_id}` has the links. Data that is stored while the job runs may be missing.

        A line is a conversation with its first messages. A long conversation has further lines, with only its `id`
        and the next `messages`.

        A credential that is bound to environments gets only the conversations of these environments and those
        without a deployment. It cannot export the audit log.

        Requires the scope `conversations:read`, `knowledge:read` or `audit:read`.

        Errors of this operation: `too_many_exports` (409).

        :param what: The content to export.
        :param filters: As in the list. Default: everything.
        :param format: JSON lines, compressed with gzip. There is no other format yet.
        """
        return await self._call("POST", "/exports", options, body={"what": what, "filters": to_wire(filters, {**shapes.ConversationExportFilters, **shapes.DocumentExportFilters, **shapes.AuditExportFilters}), "format": format}, takes="idempotency_key")

    async def get(self, job_id: str, **options: Unpack[RequestOptions]) -> t.Export:
        """Get an export with its links.

        Returns the complete files, with links that work for 15 minutes without a credential. Send the request
        again for new links. A file is deleted after a day, or as soon as data in it is erased or deleted. Its
        links then stop working.

        The request requires the scope that reads the content. To wait for the end, use `GET
        …/jobs/{job_id}?waitSeconds=20`.

        Requires the scope `conversations:read`, `knowledge:read` or `audit:read`.

        :param job_id: The id of the job.
        """
        return await self._call("GET", path_of("/exports/", job_id), options)


class AsyncExportsRaw:
    def __init__(self, methods: AsyncExportsMethods) -> None:
        self.create = raw(methods.create)
        self.get = raw(methods.get)


class AsyncJobsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncJobsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncJobsRaw(self)

    def list(
        self,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        status: t.JobStatus = NOT_GIVEN,
        type: t.JobType = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.Job]:
        """List jobs.

        Returns jobs, newest first. Jobs are kept for 30 days.

        The list has the jobs whose types the caller may read, so a page may be short. Each scope shows these jobs:

        * `knowledge:read`: `knowledge.reindex`, `knowledge.refresh`, `knowledge.remove-source`,
        `knowledge.expunge`, `knowledge.export`
        * `conversations:read`: `conversations.erase`, `conversations.reindex`, `conversations.evaluate`,
        `conversations.export`, `conversations.import`
        * `audit:read`: `audit.export`

        Requires the scope `knowledge:read`, `conversations:read` or `audit:read`.

        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        :param status: Only jobs with this status.
        :param type: Only jobs of this type.
        """
        return self._pages("/jobs", options, {"limit": limit, "cursor": cursor, "status": status, "type": type})

    async def get(self, job_id: str, *, wait_seconds: int = NOT_GIVEN, **options: Unpack[RequestOptions]) -> t.Job:
        """Get a job.

        Returns a job. While it is queued or running, poll it after `Retry-After` seconds. With `wait_seconds`, the
        response is sent when the job has ended, or when the time is up. Jobs are kept for 30 days.

        The result of a preview has its scores for an hour: `result.preview`. Lists and events do not have them.

        Some jobs fail with `credential_revoked` if the key or workload identity that requested them is revoked
        with its children: `knowledge.refresh`, `conversations.evaluate`, `conversations.export`,
        `knowledge.export`, `audit.export`.

        The type of the job decides which scope the request requires:

        * `knowledge:read`: `knowledge.reindex`, `knowledge.refresh`, `knowledge.remove-source`,
        `knowledge.expunge`, `knowledge.export`
        * `conversations:read`: `conversations.erase`, `conversations.reindex`, `conversations.evaluate`,
        `conversations.export`, `conversations.import`
        * `audit:read`: `audit.export`

        Requires the scope `knowledge:read`, `conversations:read` or `audit:read`.

        :param job_id: The id of the job.
        :param wait_seconds: How long to wait while the job is queued or running. At most 10 requests per
            credential and 50 per organisation and mode can wait. A further request gets its response at once, with
            `Retry-After`.
        """
        return await self._call("GET", path_of("/jobs/", job_id), options, query={"waitSeconds": wait_seconds})

    async def cancel(self, job_id: str, **options: Unpack[PostOptions]) -> t.Job:
        """Cancel a job.

        Cancels the job. Its work is not published. Cancelling a cancelled job changes nothing. A job that has
        succeeded or failed cannot be cancelled. A job that removes data can never be cancelled:
        `knowledge.remove-source`, `knowledge.expunge`, `conversations.erase`.

        The type of the job decides which scope the request requires:

        * `knowledge:write`: `knowledge.reindex`, `knowledge.refresh`, `knowledge.remove-source`,
        `knowledge.expunge`
        * `conversations:write`: `conversations.erase`, `conversations.reindex`, `conversations.evaluate`,
        `conversations.import`
        * `conversations:read`: `conversations.export`
        * `knowledge:read`: `knowledge.export`
        * `audit:read`: `audit.export`

        Requires the scope `knowledge:write`, `conversations:write`, `conversations:read`, `knowledge:read` or
        `audit:read`.

        Errors of this operation: `job_ended` (409), `job_not_cancellable` (409), `project_archived` (409).

        :param job_id: The id of the job.
        """
        return await self._call("POST", path_of("/jobs/", job_id, "/cancel"), options, takes="idempotency_key")


class AsyncJobsRaw:
    def __init__(self, methods: AsyncJobsMethods) -> None:
        self.list = raw_page(methods.list)
        self.get = raw(methods.get)
        self.cancel = raw(methods.cancel)


class AsyncKnowledgeMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncKnowledgeRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncKnowledgeRaw(self)

    async def evaluate(
        self,
        *,
        questions: Sequence[t.EvaluationQuestion],
        environment: str = NOT_GIVEN,
        deployment_id: str = NOT_GIVEN,
        mode: Literal["hybrid", "lexical"] = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.Evaluation:
        """Evaluate the search with questions.

        Searches with questions whose answers are known, and returns how good the results are. Use it to test
        documents before a deployment. It changes nothing.

        A document is as good as its best piece. An expected document that the index does not contain counts as not
        found, and has `missing`. With `contains`, `answer_in5` and `answer_in10` say whether the passage is in the
        texts that a search hands over.

        The means count each question once, so the means of several requests can be combined by their numbers of
        questions, those of `answer_in5` by their numbers of questions with a passage, if `index_version` is the
        same.

        Requires the scope `knowledge:read`.

        Errors of this operation: `index_retired` (409), `not_indexed` (409).

        :param questions: The questions.
        :param environment: Evaluates the index of this environment's current deployment, in place of the published
            one.
        :param deployment_id: Evaluates the index of this deployment. Not together with `environment`.
        :param mode: `hybrid` compares words and meanings, `lexical` only words.
        """
        return await self._call("POST", "/knowledge/evaluate", options, body={"questions": to_wire(questions, shapes.EvaluationQuestion), "environment": environment, "deploymentId": deployment_id, "mode": mode}, takes="idempotency_key")

    async def reindex(self, **options: Unpack[PostOptions]) -> t.KnowledgeReindexJob:
        """Re-index the documents.

        Queues a job that builds a search index of all documents and publishes it when it is complete. Until then,
        searches use the previous index. The index includes everything that was stored before this request.

        If a job is queued and has not started, the response is 200 with that job. If a job is running, a new job
        is queued behind it. Wait for the job at its `Location`: each GET returns when the job has ended, or after
        20 seconds. If nothing has changed, the job ends within a second and `result.changed` is false.

        Requires the scope `knowledge:write`.

        Errors of this operation: `project_archived` (409).
        """
        return await self._call("POST", "/knowledge/reindex", options, takes="idempotency_key")

    async def search(
        self,
        *,
        q: str,
        tag: Sequence[str] = NOT_GIVEN,
        tag_mode: Literal["all", "any"] = NOT_GIVEN,
        document_id: Sequence[str] = NOT_GIVEN,
        metadata: Sequence[str] = NOT_GIVEN,
        environment: str = NOT_GIVEN,
        unit: str = NOT_GIVEN,
        deployment_id: str = NOT_GIVEN,
        mode: Literal["hybrid", "lexical"] = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        per_document: int = NOT_GIVEN,
        context: int = NOT_GIVEN,
        fields: Literal["text", "snippet"] = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.SearchResult:
        """Search documents.

        Returns the pieces of documents that match best, each with its `text`. A piece may match any word of the
        query, in any form. Matching several words, rare words, titles and headings ranks higher. A word that no
        document has also matches similar words. In long queries, the rarest words count.

        Searches the published index. Later changes are found after the next re-indexing. With `deployment_id`, a
        conversation that began before a deployment ends with the knowledge that it began with.

        Requires the scope `knowledge:read` or `runtime:read`.

        Errors of this operation: `index_retired` (409), `not_indexed` (409), `reindex_required` (409).

        :param q: The text to search for.
        :param tag: Only documents with this tag. It can be repeated, at most 20 times: `tag_mode` says what then
            holds.
        :param tag_mode: `all` finds documents with all tags, `any` documents with at least one of them.
        :param document_id: Only this document. It can be repeated, at most 10 times, to search in several. For
            more than three pieces of a document, send `per_document`, too.
        :param metadata: Only documents whose metadata has this value: `country:DE`. At most 3, and all must hold.
            The field is one of `settings.searchFields` of the project.
        :param environment: Searches the index of this environment's current deployment.
        :param unit: Only together with `environment`: while a rollout runs, searches the index of the variant of
            this unit, usually your id of the user. It is neither stored nor logged.
        :param deployment_id: Searches the index of this deployment, in any phase and environment. Not together
            with `environment`.
        :param mode: `hybrid` compares words and meanings, `lexical` only words. Default: `hybrid`. The response
            says how it was.
        :param limit: The maximum number of pieces.
        :param per_document: The maximum number of pieces of one document, so that other documents are found, too.
        :param context: How many pieces of the document before and behind the found piece are part of its `text`.
            Neighbours for which a response of 4 MB has no room are left out, from the last hits.
        :param fields: `snippet` leaves `text` out. Default: `text`.
        """
        return await self._call("GET", "/knowledge/search", options, query={"q": q, "tag": tag, "tagMode": tag_mode, "documentId": document_id, "metadata": metadata, "environment": environment, "unit": unit, "deploymentId": deployment_id, "mode": mode, "limit": limit, "perDocument": per_document, "context": context, "fields": fields})


class AsyncKnowledgeRaw:
    def __init__(self, methods: AsyncKnowledgeMethods) -> None:
        self.evaluate = raw(methods.evaluate)
        self.reindex = raw(methods.reindex)
        self.search = raw(methods.search)


class AsyncKnowledgeDocumentsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncKnowledgeDocumentsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncKnowledgeDocumentsRaw(self)

    def list(
        self,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        status: t.DocumentStatus = NOT_GIVEN,
        ignored: bool = NOT_GIVEN,
        tag: str = NOT_GIVEN,
        source: str = NOT_GIVEN,
        external_id: str = NOT_GIVEN,
        extraction_note: t.KnowledgeDocumentsListExtractionNote = NOT_GIVEN,
        extracted_before: int = NOT_GIVEN,
        updated_from: str | datetime = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.KnowledgeDocument]:
        """List documents.

        Returns documents without their content, newest first.

        With a selective filter or large documents, a page may have fewer than `limit` items, or no items. Continue
        until `next_cursor` is null.

        Requires the scope `knowledge:read`.

        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        :param status: Only documents with this status.
        :param ignored: `true` lists only ignored documents, and `false` only all other documents.
        :param tag: Only documents with this tag. Not blank, without control characters.
        :param source: Only documents with exactly this source. Not blank, without control characters.
        :param external_id: Only documents with exactly this externalId: one per source. Not blank, without control
            characters.
        :param extraction_note: Only documents with this note in their `extraction_notes`.
        :param extracted_before: Only documents whose file or page was read by a version of the readers before this
            one: their `extracted_by` is lower.
        :param updated_from: Only documents changed at this time or later.
        """
        return self._pages("/knowledge/documents", options, {"limit": limit, "cursor": cursor, "status": status, "ignored": ignored, "tag": tag, "source": source, "externalId": external_id, "extractionNote": extraction_note, "extractedBefore": extracted_before, "updatedFrom": updated_from})

    async def create(
        self,
        *,
        title: str,
        source: str | None = NOT_GIVEN,
        tags: Sequence[str] = NOT_GIVEN,
        metadata: t.MetadataParam = NOT_GIVEN,
        external_id: str = NOT_GIVEN,
        content: str = NOT_GIVEN,
        upload_id: str = NOT_GIVEN,
        mime_type: str = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.KnowledgeDocument:
        """Create a document.

        Creates a document. It is `pending` until it is indexed. To synchronise documents from another system, use
        `PUT …/by-external-id/{external_id}`: you do not have to remember which documents you have sent.

        Send `content`, or `upload_id` for a file. The document of a file has no content until its `extraction` is
        `done`, after some seconds. A re-index waits for files that were sent before it.

        Requires the scope `knowledge:write`.

        Errors of this operation: `external_id_taken` (409), `project_archived` (409).

        :param title: A display name. Not blank, without control characters.
        :param source: The folder or system that the document comes from. An `external_id` is unique within a
            source, and among documents without a source. Not blank, without control characters. Null if not set.
        :param tags: Labels to filter by. Their order does not matter.
        :param metadata: Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of
            UTF-8 together. More is accepted if no value has more than 500 characters.
        :param external_id: Your own id of the document: up to 255 characters, unique within its source. Not blank,
            without control characters.
        :param content: The content: well-formed Unicode, at most 200 KB in UTF-8.
        :param upload_id: An upload with the purpose `knowledge`, in place of `content`: its text becomes the
            content. Its type is found by its content: PDF, DOCX, RTF, HTML, EML, MHTML, Markdown, plain text, CSV
            or TSV.
        :param mime_type: The format. Of a content, `text/plain` (the default), `text/markdown` or `text/html`. Of
            a file, any media type, as a hint: its `charset` is the encoding if the bytes fit it. The same file
            with another hint is read again.
        """
        return await self._call("POST", "/knowledge/documents", options, body={"source": source, "title": title, "tags": tags, "metadata": metadata, "externalId": external_id, "content": content, "uploadId": upload_id, "mimeType": mime_type}, takes="idempotency_key")

    async def batch(
        self,
        *,
        documents: Sequence[t.KnowledgeDocumentInput],
        **options: Unpack[PostOptions]
    ) -> t.UpsertedDocuments:
        """Create or update documents by externalId.

        Creates or replaces up to 25 documents: all documents or no document. Each document is handled as in `PUT
        …/by-external-id/{external_id}`. The results are in the order of the documents.

        Requires the scope `knowledge:write`.

        Errors of this operation: `project_archived` (409).

        :param documents: The complete documents. Each has an `external_id` that is unique within its `source`.
        """
        return await self._call("POST", "/knowledge/documents/batch", options, body={"documents": to_wire(documents, shapes.KnowledgeDocumentInput)}, takes="idempotency_key")

    async def put(
        self,
        external_id: str,
        *,
        title: str,
        source: str | None = NOT_GIVEN,
        tags: Sequence[str] = NOT_GIVEN,
        metadata: t.MetadataParam = NOT_GIVEN,
        content: str = NOT_GIVEN,
        upload_id: str = NOT_GIVEN,
        mime_type: str = NOT_GIVEN,
        **options: Unpack[IfMatchOptions]
    ) -> t.UpsertedDocument:
        """Create or update a document by externalId.

        Creates or replaces the document with this externalId and `source`. Documents of other sources are not
        affected. An omitted field gets its default.

        You can repeat the request without an Idempotency-Key: it creates one document, and writes nothing if
        nothing has changed. With `If-Match`, only the document with this ETag is changed. Percent-encode the
        externalId (`handbook%2Freturns.md`).

        Send `content`, or `upload_id` for a file. A file always replaces the content, unless the request is
        repeated with the same upload: compare its SHA-256 with `file_sha256` before you upload it again.

        Requires the scope `knowledge:write`.

        Errors of this operation: `project_archived` (409), `version_mismatch` (412).

        :param external_id: Your own id of the document: up to 255 characters, unique within its source. Not blank,
            without control characters.
        :param title: A display name. Not blank, without control characters.
        :param source: The folder or system that the document comes from. An `external_id` is unique within a
            source, and among documents without a source. Not blank, without control characters. Null if not set.
        :param tags: Labels to filter by. Their order does not matter.
        :param metadata: Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of
            UTF-8 together. More is accepted if no value has more than 500 characters.
        :param content: The content: well-formed Unicode, at most 200 KB in UTF-8.
        :param upload_id: An upload with the purpose `knowledge`, in place of `content`: its text becomes the
            content. Its type is found by its content: PDF, DOCX, RTF, HTML, EML, MHTML, Markdown, plain text, CSV
            or TSV.
        :param mime_type: The format. Of a content, `text/plain` (the default), `text/markdown` or `text/html`. Of
            a file, any media type, as a hint: its `charset` is the encoding if the bytes fit it. The same file
            with another hint is read again.
        """
        return await self._call("PUT", path_of("/knowledge/documents/by-external-id/", external_id), options, body={"source": source, "title": title, "tags": tags, "metadata": metadata, "content": content, "uploadId": upload_id, "mimeType": mime_type}, takes="if_match")

    async def get(self, document_id: str, **options: Unpack[RequestOptions]) -> t.KnowledgeDocument:
        """Get a document.

        Returns the document without its content.

        Requires the scope `knowledge:read`.

        :param document_id: The id of the document.
        """
        return await self._call("GET", path_of("/knowledge/documents/", document_id), options)

    async def update(
        self,
        document_id: str,
        *,
        title: str = NOT_GIVEN,
        content: str = NOT_GIVEN,
        mime_type: t.MimeType = NOT_GIVEN,
        tags: Sequence[str] = NOT_GIVEN,
        metadata: t.MetadataParam = NOT_GIVEN,
        source: str | None = NOT_GIVEN,
        external_id: str | None = NOT_GIVEN,
        ignored: bool = NOT_GIVEN,
        **options: Unpack[IfMatchOptions]
    ) -> t.KnowledgeDocument:
        """Update a document.

        Replaces the fields in the body. Set `external_id` or `source` to null to remove it. `mime_type` is allowed
        only together with `content`; without it, the type does not change. If the title, content, tags or a value
        of the `search_fields` of the project change, the document is `pending` again.

        With `"ignored": true`, the next index leaves the document out, and it counts in no warning: use this for a
        file that has no text. Its `status` does not change. With `"ignored": false`, the document is `pending`
        again, unless its file has no text. Only `ignored` can be changed in a document of a source.

        Requires the scope `knowledge:write`.

        Errors of this operation: `external_id_taken` (409), `managed_by_source` (409), `project_archived` (409),
        `version_mismatch` (412).

        :param document_id: The id of the document.
        :param title: A display name. Not blank, without control characters.
        :param content: The content: well-formed Unicode, at most 200 KB in UTF-8.
        :param mime_type: The format of the content.
        :param tags: Labels to filter by. Their order does not matter.
        :param metadata: Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of
            UTF-8 together. More is accepted if no value has more than 500 characters.
        :param source: The folder or system that the document comes from. An `external_id` is unique within a
            source, and among documents without a source. Not blank, without control characters. Null if not set.
        :param external_id: Your own id of the document: up to 255 characters, unique within its source. Not blank,
            without control characters. Null if not set.
        :param ignored: Whether the document is left out of the next indexes and of all warnings. Its `status`
            stays as it was.
        """
        return await self._call("PATCH", path_of("/knowledge/documents/", document_id), options, body={"title": title, "content": content, "mimeType": mime_type, "tags": tags, "metadata": metadata, "source": source, "externalId": external_id, "ignored": ignored}, takes="if_match")

    async def delete(
        self,
        document_id: str,
        *,
        expunge: bool = NOT_GIVEN,
        **options: Unpack[IfMatchOptions]
    ) -> t.KnowledgeDocument | t.KnowledgeExpungeJob:
        """Delete a document.

        Deletes the document and returns it. Its externalId can be used again at once. Existing index versions keep
        the text of the document: searches find it until the next re-indexing, and environments serve it until the
        next deployment.

        With `expunge=true`, the text is removed from existing index versions too. The response is 202 with a job.
        Wait for the job at its `Location`. From this response on, no search returns the document in any
        environment. The job publishes versions without the document, removes the stored text, and lists the
        changed environments in its result. This also works for a document that was deleted or expunged before, and
        in an archived project.

        A document of a source can only be deleted with `expunge=true`. Later refreshes then leave its page out.

        Requires the scope `knowledge:write`.

        Errors of this operation: `managed_by_source` (409), `project_archived` (409), `version_mismatch` (412).

        :param document_id: The id of the document.
        :param expunge: Whether to remove its text from all index versions.
        """
        return await self._call("DELETE", path_of("/knowledge/documents/", document_id), options, query={"expunge": expunge}, takes="if_match")

    async def content(
        self,
        document_id: str,
        *,
        cursor: str = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.DocumentContent:
        """Get the content of a document.

        Returns the content exactly as it was sent.

        A content of more than 200 KB has several parts. Join the parts: continue with `cursor` until `next_cursor`
        is null. If the content changes in the meantime, the cursor is invalid: start again.

        Requires the scope `knowledge:read`.

        Errors of this operation: `not_extracted` (409).

        :param document_id: The id of the document.
        :param cursor: The `next_cursor` of the previous part.
        """
        return await self._call("GET", path_of("/knowledge/documents/", document_id, "/content"), options, query={"cursor": cursor})


class AsyncKnowledgeDocumentsRaw:
    def __init__(self, methods: AsyncKnowledgeDocumentsMethods) -> None:
        self.list = raw_page(methods.list)
        self.create = raw(methods.create)
        self.batch = raw(methods.batch)
        self.put = raw(methods.put)
        self.get = raw(methods.get)
        self.update = raw(methods.update)
        self.delete = raw(methods.delete)
        self.content = raw(methods.content)


class AsyncKnowledgeSourcesMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncKnowledgeSourcesRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncKnowledgeSourcesRaw(self)

    def list(
        self,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.KnowledgeSource]:
        """List sources.

        Returns sources, newest first.

        Requires the scope `knowledge:read`.

        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        """
        return self._pages("/knowledge/sources", options, {"limit": limit, "cursor": cursor})

    async def create(
        self,
        *,
        type: t.KnowledgeSourceType,
        url: str,
        include: Sequence[str] = NOT_GIVEN,
        exclude: Sequence[str] = NOT_GIVEN,
        max_pages: int = NOT_GIVEN,
        max_depth: int = NOT_GIVEN,
        tags: Sequence[str] = NOT_GIVEN,
        refresh: str = NOT_GIVEN,
        reindex: bool = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.KnowledgeSource:
        """Create a source.

        Creates a source: pages of a website whose main content is kept as documents. With a `refresh` other than
        `manual`, the first refresh starts at once. Otherwise request it with `POST …/refresh`. A project can have
        50 sources.

        A refresh respects robots.txt (as `platform-api-crawler`), sends one request at a time to each host, and
        requests pages that it knows with conditions, so that an unchanged page writes nothing. Its documents have
        the id of the source as `source`. Only the source can change them.

        Requires the scope `knowledge:write`.

        Errors of this operation: `project_archived` (409), `too_many_sources` (409).

        :param type: Which pages it has: the page at `url`, the pages in the sitemap or in the feed (RSS or Atom)
            at `url`, or the pages that are found by following links from `url`.
        :param url: Where it starts: an `https://` URL with a public host. It is stored and shown in its normal
            form: `https:Example.com` becomes `https://example.com/`.
        :param include: Only pages with these addresses: paths of the host of `url` (`/docs/*`), or whole URLs
            (`https://help.acme.example/*`), which may have another host. `*` stands for any characters. If it is
            empty, all pages of the host of `url`.
        :param exclude: No pages with these addresses, in the same form.
        :param max_pages: The largest number of pages that a refresh requests.
        :param max_depth: How many links a page may be away from `url`. For sources of type `site`.
        :param tags: The tags of its documents.
        :param refresh: How often it is refreshed: `manual` (only by request), or a whole number of hours, days or
            weeks, from `1h` to `30d`.
        :param reindex: Whether a refresh that has changed documents also requests a re-indexing.
        """
        return await self._call("POST", "/knowledge/sources", options, body={"type": type, "url": url, "include": include, "exclude": exclude, "maxPages": max_pages, "maxDepth": max_depth, "tags": tags, "refresh": refresh, "reindex": reindex}, takes="idempotency_key")

    async def get(self, source_id: str, **options: Unpack[RequestOptions]) -> t.KnowledgeSource:
        """Get a source.

        Returns the source, with its last refresh and the time of its next refresh.

        Requires the scope `knowledge:read`.

        :param source_id: The id of the source.
        """
        return await self._call("GET", path_of("/knowledge/sources/", source_id), options)

    async def update(
        self,
        source_id: str,
        *,
        url: str = NOT_GIVEN,
        include: Sequence[str] = NOT_GIVEN,
        exclude: Sequence[str] = NOT_GIVEN,
        max_pages: int = NOT_GIVEN,
        max_depth: int = NOT_GIVEN,
        tags: Sequence[str] = NOT_GIVEN,
        refresh: str = NOT_GIVEN,
        reindex: bool = NOT_GIVEN,
        paused: bool = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.KnowledgeSource:
        """Update a source.

        Replaces the fields in the body. A refresh that runs uses the new values from its next step on. A paused
        source is not refreshed. Set `paused` to false to refresh it again, on behalf of the credential that sends
        this request.

        Requires the scope `knowledge:write`.

        Errors of this operation: `project_archived` (409).

        :param source_id: The id of the source.
        :param url: Where it starts: an `https://` URL with a public host. It is stored and shown in its normal
            form: `https:Example.com` becomes `https://example.com/`.
        :param include: Only pages with these addresses: paths of the host of `url` (`/docs/*`), or whole URLs
            (`https://help.acme.example/*`), which may have another host. `*` stands for any characters. If it is
            empty, all pages of the host of `url`.
        :param exclude: No pages with these addresses, in the same form.
        :param max_pages: The largest number of pages that a refresh requests.
        :param max_depth: How many links a page may be away from `url`. For sources of type `site`.
        :param tags: The tags of its documents.
        :param refresh: How often it is refreshed: `manual` (only by request), or a whole number of hours, days or
            weeks, from `1h` to `30d`.
        :param reindex: Whether a refresh that has changed documents also requests a re-indexing.
        :param paused: Whether it is not refreshed.
        """
        return await self._call("PATCH", path_of("/knowledge/sources/", source_id), options, body={"url": url, "include": include, "exclude": exclude, "maxPages": max_pages, "maxDepth": max_depth, "tags": tags, "refresh": refresh, "reindex": reindex, "paused": paused})

    async def delete(
        self,
        source_id: str,
        *,
        keep_documents: bool = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.KnowledgeRemoveSourceJob:
        """Delete a source.

        Deletes the source, and cancels its refresh. The response is 202 with a job, which removes its pages and
        its documents. Wait for the job at its `Location`. With `keepDocuments=true`, the documents stay, and can
        be changed from now on.

        Requires the scope `knowledge:write`.

        Errors of this operation: `project_archived` (409).

        :param source_id: The id of the source.
        :param keep_documents: Whether its documents stay.
        """
        return await self._call("DELETE", path_of("/knowledge/sources/", source_id), options, query={"keepDocuments": keep_documents})

    def list_pages(
        self,
        source_id: str,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        status: t.KnowledgeSourcesListPagesStatus = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.SourcePage]:
        """List the pages of a source.

        Returns the pages in no particular order, each with its document, or why it could not be read.

        With a filter, a page of the list may have fewer than `limit` items, or no items. Continue until
        `next_cursor` is null.

        Requires the scope `knowledge:read`.

        :param source_id: The id of the source.
        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        :param status: Only pages with this status.
        """
        return self._pages(path_of("/knowledge/sources/", source_id, "/pages"), options, {"limit": limit, "cursor": cursor, "status": status})

    async def refresh(
        self,
        source_id: str,
        *,
        confirm: bool = NOT_GIVEN,
        reread: bool = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.KnowledgeRefreshJob:
        """Refresh a source.

        Starts a job that requests the pages of the source, and stores what has changed. If such a job has not
        ended, the response is 200 with that job. Wait for the job at its `Location`.

        A page is gone if its server answers with 404 or 410, or if two refreshes find no link to it. Then its
        document is removed, as that of a page that now has the content of another page, or redirects to it. If
        more than half of the documents would be removed at once, they stay, and `unconfirmed` of the result has
        their number: send `confirm` to remove them. While a refresh without `confirm` runs, a request with
        `confirm` is 409 `refresh_running`.

        With `reread`, pages that have not changed are read again, too: after an upgrade of the service, its
        readers may find more in them (`extracted_by` of their documents). While a refresh without `reread` runs, a
        request with `reread` is 409 `refresh_running`.

        Requires the scope `knowledge:write`.

        Errors of this operation: `project_archived` (409), `refresh_running` (409), `source_paused` (409).

        :param source_id: The id of the source.
        :param confirm: Whether more than half of the documents may be removed.
        :param reread: Whether pages that have not changed are read again.
        """
        return await self._call("POST", path_of("/knowledge/sources/", source_id, "/refresh"), options, body={"confirm": confirm, "reread": reread}, takes="idempotency_key")


class AsyncKnowledgeSourcesRaw:
    def __init__(self, methods: AsyncKnowledgeSourcesMethods) -> None:
        self.list = raw_page(methods.list)
        self.create = raw(methods.create)
        self.get = raw(methods.get)
        self.update = raw(methods.update)
        self.delete = raw(methods.delete)
        self.list_pages = raw_page(methods.list_pages)
        self.refresh = raw(methods.refresh)


class AsyncMeMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncMeRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncMeRaw(self)

    async def get(self, **options: Unpack[RequestOptions]) -> t.Me:
        """Get the calling credential.

        Returns the calling credential, an API key, a workload identity or an access token, and its permissions.
        Requires no scope. `GET /api-keys/me` returns all fields of a key, and `GET /usage` returns the limits.

        Requires any valid credential.
        """
        return await self._call("GET", "/me", options)


class AsyncMeRaw:
    def __init__(self, methods: AsyncMeMethods) -> None:
        self.get = raw(methods.get)


class AsyncModelsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncModelsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncModelsRaw(self)

    def list(
        self,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.Model]:
        """List models.

        Returns the models that avatars and evaluators may name, in the order of the operator. There are at most
        50. The list is empty if the operator lists no models. Requires no scope.

        Requires any valid credential.

        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        """
        return self._pages("/models", options, {"limit": limit, "cursor": cursor})


class AsyncModelsRaw:
    def __init__(self, methods: AsyncModelsMethods) -> None:
        self.list = raw_page(methods.list)


class AsyncProjectsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncProjectsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncProjectsRaw(self)

    def list(
        self,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        external_id: str = NOT_GIVEN,
        status: Literal["active", "archived"] = NOT_GIVEN,
        created_from: str | datetime = NOT_GIVEN,
        created_before: str | datetime = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.Project]:
        """List projects.

        Returns the current state, newest first.

        With a selective filter, a page may have fewer than `limit` items, or no items. Continue until
        `next_cursor` is null.

        Requires the scope `projects:read`.

        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        :param external_id: Only the project with this externalId. Not blank, without control characters.
        :param status: Only projects with this status.
        :param created_from: Only projects created at this time or later.
        :param created_before: Only projects created before this time.
        """
        return self._pages("/projects", options, {"limit": limit, "cursor": cursor, "externalId": external_id, "status": status, "createdFrom": created_from, "createdBefore": created_before})

    async def create(
        self,
        *,
        name: str,
        description: str | None = NOT_GIVEN,
        metadata: t.MetadataParam = NOT_GIVEN,
        settings: t.ProjectSettingsChange = NOT_GIVEN,
        external_id: str | None = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.Project:
        """Create a project.

        Creates an active project. A credential that is bound to projects cannot create projects.

        Requires the scope `projects:write`.

        Errors of this operation: `external_id_taken` (409).

        :param name: A display name. Not blank, without control characters.
        :param description: The purpose of the project. Null if not set.
        :param metadata: Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of
            UTF-8 together. More is accepted if no value has more than 500 characters.
        :param settings: The settings to set. PATCH keeps the other settings, POST and PUT set them to their
            defaults.
        :param external_id: Your own id of the project, unique in the organisation. No personal data: logs contain
            paths. Not blank, without control characters. Null if not set.
        """
        return await self._call("POST", "/projects", options, body={"name": name, "description": description, "metadata": metadata, "settings": to_wire(settings, shapes.ProjectSettingsChange), "externalId": external_id}, takes="idempotency_key")

    async def put(
        self,
        external_id: str,
        *,
        name: str,
        description: str | None = NOT_GIVEN,
        metadata: t.MetadataParam = NOT_GIVEN,
        settings: t.ProjectSettingsChange = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.UpsertedProject:
        """Create or update a project by externalId.

        Creates a project with this externalId, or replaces the content of the existing project. An omitted field
        gets its default. The status does not change: an archived project stays archived. A deleted project has
        lost its externalId, so the request creates another project.

        You can repeat the request without an Idempotency-Key: it creates one project, and writes nothing if
        nothing has changed. A credential that is bound to projects cannot create projects. Percent-encode the
        externalId.

        Requires the scope `projects:write`.

        :param external_id: Your own id of the project, unique in the organisation. No personal data: logs contain
            paths. Not blank, without control characters.
        :param name: A display name. Not blank, without control characters.
        :param description: The purpose of the project. Null if not set.
        :param metadata: Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of
            UTF-8 together. More is accepted if no value has more than 500 characters.
        :param settings: The settings to set. PATCH keeps the other settings, POST and PUT set them to their
            defaults.
        """
        return await self._call("PUT", path_of("/projects/by-external-id/", external_id), options, body={"name": name, "description": description, "metadata": metadata, "settings": to_wire(settings, shapes.ProjectSettingsChange)})

    async def get(self, project_id: str, **options: Unpack[RequestOptions]) -> t.Project:
        """Get a project.

        Returns a project. A deleted project gets 404.

        Requires the scope `projects:read`.

        :param project_id: The id of the project.
        """
        return await self._call("GET", path_of("/projects/", project_id), options)

    async def update(
        self,
        project_id: str,
        *,
        external_id: str | None = NOT_GIVEN,
        name: str = NOT_GIVEN,
        description: str | None = NOT_GIVEN,
        metadata: t.MetadataParam = NOT_GIVEN,
        settings: t.ProjectSettingsChange = NOT_GIVEN,
        status: Literal["active", "archived"] = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.Project:
        """Update a project.

        Replaces the fields in the body. `metadata` replaces all pairs. Null removes a `description` or an
        `external_id`. In `settings`, only the fields in the body change. Set `status` to `archived` to archive the
        project, and to `active` to use it again.

        Requires the scope `projects:write`.

        Errors of this operation: `external_id_taken` (409).

        :param project_id: The id of the project.
        :param external_id: Your own id of the project, unique in the organisation. No personal data: logs contain
            paths. Not blank, without control characters. Null if not set.
        :param name: A display name. Not blank, without control characters.
        :param description: The purpose of the project. Null if not set.
        :param metadata: Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of
            UTF-8 together. More is accepted if no value has more than 500 characters.
        :param settings: The settings to set. PATCH keeps the other settings, POST and PUT set them to their
            defaults.
        :param status: `archived` makes the project read-only. `active` makes it writable again.
        """
        return await self._call("PATCH", path_of("/projects/", project_id), options, body={"externalId": external_id, "name": name, "description": description, "metadata": metadata, "settings": to_wire(settings, shapes.ProjectSettingsChange), "status": status})

    async def delete(self, project_id: str, **options: Unpack[RequestOptions]) -> t.DeletedProject:
        """Delete a project.

        Deletes the project. From this response on, requests to the project get 404, and its externalId is free.
        The project can be restored for 7 days. Then it is purged: everything below the project is removed. `GET
        …/purge` shows the progress.

        Requires the scope `projects:write`.

        :param project_id: The id of the project.
        """
        return await self._call("DELETE", path_of("/projects/", project_id), options)

    async def purge(self, project_id: str, **options: Unpack[RequestOptions]) -> t.ProjectPurge:
        """Get the purge of a deleted project.

        Everything below a deleted project is removed when the project can no longer be restored. This endpoint
        shows the due time, the progress and the end of this purge. The record is kept for 90 days after the end. A
        project that is not deleted gets 404.

        Requires the scope `projects:read`.

        :param project_id: The id of the project.
        """
        return await self._call("GET", path_of("/projects/", project_id, "/purge"), options)

    async def restore(self, project_id: str, **options: Unpack[PostOptions]) -> t.Project:
        """Restore a deleted project.

        Restores a project within 7 days of its deletion, with the status and the externalId that it had. If
        another project has taken the externalId, the request gets 409 `external_id_taken`.

        Requires the scope `projects:write`.

        Errors of this operation: `external_id_taken` (409), `project_not_deleted` (409).

        :param project_id: The id of the project.
        """
        return await self._call("POST", path_of("/projects/", project_id, "/restore"), options, takes="idempotency_key")

    async def usage(self, project_id: str, **options: Unpack[RequestOptions]) -> t.ProjectUsage:
        """Get the usage of a project.

        Returns what the project has used on the current day (UTC). `GET /projects/{project_id}/usage/days` has
        other days, and says how they are counted. Quotas and limits are those of the organisation: `GET /usage`.

        Requires the scope `projects:read`.

        :param project_id: The id of the project.
        """
        return await self._call("GET", path_of("/projects/", project_id, "/usage"), options)

    async def usage_days(
        self,
        project_id: str,
        *,
        from_: str | datetime = NOT_GIVEN,
        to: str | datetime = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.ProjectDailyUsage:
        """List the usage of a project by day.

        Returns what the project has used on each day (UTC), oldest day first. The range is extended to whole days.
        Days on which nothing was used are left out. Days are kept for 400 days.

        Whatever counts for the project counts for the organisation in the same transaction, so the days are as
        exact as those of `GET /usage/days`, which says how they are counted. The days of a project begin with the
        upgrade of the service that has introduced them.

        Requires the scope `projects:read`.

        :param project_id: The id of the project.
        :param from_: Start of the range. Default: 30 days, including the last day.
        :param to: End of the range, exclusive. Default: now. At most 366 days after `from`.
        """
        return await self._call("GET", path_of("/projects/", project_id, "/usage/days"), options, query={"from": from_, "to": to})


class AsyncProjectsRaw:
    def __init__(self, methods: AsyncProjectsMethods) -> None:
        self.list = raw_page(methods.list)
        self.create = raw(methods.create)
        self.put = raw(methods.put)
        self.get = raw(methods.get)
        self.update = raw(methods.update)
        self.delete = raw(methods.delete)
        self.purge = raw(methods.purge)
        self.restore = raw(methods.restore)
        self.usage = raw(methods.usage)
        self.usage_days = raw(methods.usage_days)


class AsyncRepliesMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncRepliesRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncRepliesRaw(self)

    def list(
        self,
        conversation_id: str,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.ListedReply]:
        """List the replies of a conversation.

        Returns the replies of the conversation, newest first, without their texts. Only a credential that may
        request a dry run sees the `passages` of one.

        Requires the scope `conversations:read`. With `runtime:write`, only the conversations that the credential
        has created exist.

        :param conversation_id: The id of the conversation.
        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        """
        return self._pages(path_of("/conversations/", conversation_id, "/replies"), options, {"limit": limit, "cursor": cursor})

    async def create(
        self,
        conversation_id: str,
        *,
        input: t.ReplyInput = NOT_GIVEN,
        retry_of: str = NOT_GIVEN,
        target: t.ReplyTarget = NOT_GIVEN,
        max_cost_usd: float = NOT_GIVEN,
        dry_run: bool = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.Reply:
        """Request a reply.

        Stores the message of the user, and requests an answer of the avatar: by the model of the avatar, with the
        persona and the knowledge of a deployment or of the draft. Read the answer with `GET …/replies/{reply_id}`
        or as a stream with `GET …/replies/{reply_id}/events`. It is stored once, as a message of the role
        `avatar`.

        A conversation without a deployment gets the deployment of its first reply. While a reply is `queued` or
        `running`, another is 409 `reply_running`. A model is never asked again after a failure that may have cost:
        the reply is `unknown` then, and `retry_of` asks again.

        If a message with this `client_message_id` already has a reply, the response is that reply.

        Requires the scopes `conversations:write` and `deploy:read`. With `runtime:write`, only the conversations
        that the credential has created exist.

        Errors of this operation: `avatar_archived` (409), `conversation_ended` (409), `conversation_not_test`
        (409), `deployment_mismatch` (409), `model_not_listed` (409), `no_model` (409), `nothing_served` (409),
        `project_archived` (409), `reply_not_retryable` (409), `reply_running` (409).

        :param conversation_id: The id of the conversation.
        :param input: The message of the user.
        :param retry_of: The last reply of the conversation, if it is `failed`, `cancelled` or `unknown`: the same
            message of the user is answered again. Send it in place of `input`.
        :param target: What answers: exactly one of its fields. Default: the deployment of the conversation.
        :param max_cost_usd: The most that the answer of the model may cost, in US dollars.
        :param dry_run: With true, no message is stored and no model is called: the reply has the complete
            `request` for an hour.
        """
        return await self._call("POST", path_of("/conversations/", conversation_id, "/replies"), options, body={"input": to_wire(input, shapes.ReplyInput), "retryOf": retry_of, "target": to_wire(target, shapes.ReplyTarget), "maxCostUsd": max_cost_usd, "dryRun": dry_run}, takes="idempotency_key")

    async def get(
        self,
        conversation_id: str,
        reply_id: str,
        *,
        after: int = NOT_GIVEN,
        wait_seconds: int = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.Reply:
        """Get a reply.

        Returns a reply with its text. While it is `queued` or `running`, send `next_after` as `after` to get the
        following text: with `wait_seconds`, the response is sent when there is more text, or when the reply has
        ended.

        A reply whose worker has stopped is `unknown` after 30 seconds.

        Requires the scope `conversations:read`. With `runtime:write`, only the conversations that the credential
        has created exist.

        :param conversation_id: The id of the conversation.
        :param reply_id: The id of the reply.
        :param after: Only the text after this offset: `next_after` of the response before. Beyond the end, there
            is no text.
        :param wait_seconds: How long to wait for text after `after` while the reply has not ended. At most 10
            requests per credential and 50 per organisation and mode can wait. A further request gets its response
            at once, with `Retry-After`.
        """
        return await self._call("GET", path_of("/conversations/", conversation_id, "/replies/", reply_id), options, query={"after": after, "waitSeconds": wait_seconds})

    async def cancel(self, conversation_id: str, reply_id: str, **options: Unpack[PostOptions]) -> t.ListedReply:
        """Cancel a reply.

        Cancels a reply that is `queued` or `running`. Nothing more of it is stored. Cancelling a cancelled reply
        changes nothing; any other end is 409 `reply_ended`. The highest cost of a call that has begun stays
        counted.

        Requires the scopes `conversations:write` and `deploy:read`. With `runtime:write`, only the conversations
        that the credential has created exist.

        Errors of this operation: `project_archived` (409), `reply_ended` (409).

        :param conversation_id: The id of the conversation.
        :param reply_id: The id of the reply.
        """
        return await self._call("POST", path_of("/conversations/", conversation_id, "/replies/", reply_id, "/cancel"), options, takes="idempotency_key")


class AsyncRepliesRaw:
    def __init__(self, methods: AsyncRepliesMethods) -> None:
        self.list = raw_page(methods.list)
        self.create = raw(methods.create)
        self.get = raw(methods.get)
        self.cancel = raw(methods.cancel)


class AsyncRolloutsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncRolloutsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncRolloutsRaw(self)

    async def get(self, name: str, **options: Unpack[RequestOptions]) -> t.ComparedRollout:
        """Get the rollout of an environment.

        Returns the rollout that runs, or else the last one, with the comparison of its candidate and the current
        deployment. Only conversations with an `assignment` count, and each unit once, with its first conversation.
        Both sides are compared within spans of constant percent. The interval of each difference is a confidence
        sequence: it holds however often somebody looks.

        Requires the scope `deploy:read`.

        :param name: The name of the environment. The first deployment to it creates it.
        """
        return await self._call("GET", path_of("/environments/", name, "/rollout"), options)

    async def start(
        self,
        name: str,
        *,
        deployment_id: str,
        percent: float = NOT_GIVEN,
        steps: Sequence[t.RolloutStepParam] = NOT_GIVEN,
        guards: Sequence[t.RolloutGuardInput] = NOT_GIVEN,
        on_breach: t.RolloutOnBreach = NOT_GIVEN,
        reason: str | None = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.Rollout:
        """Start a rollout.

        A part of the units (usually users) gets another deployment of the environment, the candidate: with
        `percent`, until `complete` or `abort`, or in `steps`, which rise by themselves. A unit that has the
        candidate keeps it. Guards compare both deployments by scores, and end the rollout if the candidate harms.

        While a rollout runs, new deployments to the environment stay staged. A rollout in a pinned environment is
        allowed: its completion removes the pin.

        Requires the scope `deploy:write`.

        Errors of this operation: `index_retired` (409), `nothing_served` (409), `project_archived` (409),
        `rollout_running` (409).

        :param name: The name of the environment. The first deployment to it creates it.
        :param deployment_id: The candidate: a deployment of this environment that is not current.
        :param percent: The share of the units that get the candidate, in percent.
        :param steps: The steps, with rising percents. In place of `percent`.
        :param guards: The guards, at most 5. Without guards, nothing ends the rollout by itself.
        :param on_breach: What a breached guard does. `roll_back` serves the current deployment to everybody and
            pins the environment. `pause` pauses the rollout: nothing changes for users until somebody decides.
        :param reason: The reason, for people. Null if not set.
        """
        return await self._call("POST", path_of("/environments/", name, "/rollout"), options, body={"deploymentId": deployment_id, "percent": percent, "steps": to_wire(steps, shapes.RolloutStep), "guards": to_wire(guards, shapes.RolloutGuardInput), "onBreach": on_breach, "reason": reason}, takes="idempotency_key")

    async def update(
        self,
        name: str,
        *,
        percent: float = NOT_GIVEN,
        paused: bool = NOT_GIVEN,
        reason: str | None = NOT_GIVEN,
        **options: Unpack[IfMatchOptions]
    ) -> t.Rollout:
        """Change a rollout.

        Raises the percent, pauses the rollout, or lets it go on. The percent only rises, so that a unit that has
        the candidate keeps it. Each change of the percent begins a span, and a rollout has at most 20. A rollout
        that goes on acts on behalf of the credential that sends this request. A breach that had paused it pauses
        it no more.

        Requires the scope `deploy:write`.

        Errors of this operation: `project_archived` (409), `rollout_ended` (409), `rollout_only_forward` (409),
        `rollout_too_many_changes` (409), `version_mismatch` (412).

        :param name: The name of the environment. The first deployment to it creates it.
        :param percent: The share of the units that get the candidate, in percent.
        :param paused: Whether the rollout is paused: every unit keeps its side, new units are assigned, and no
            time is held.
        :param reason: The reason, for people. Null if not set.
        """
        return await self._call("PATCH", path_of("/environments/", name, "/rollout"), options, body={"percent": percent, "paused": paused, "reason": reason}, takes="if_match")

    async def abort(
        self,
        name: str,
        *,
        reason: str | None = NOT_GIVEN,
        **options: Unpack[PostIfMatchOptions]
    ) -> t.Rollout:
        """Abort a rollout.

        Ends the rollout: the environment serves its current deployment to everybody. It is not pinned, so the next
        deployment is promoted. A conversation that has begun keeps its deployment.

        Requires the scope `deploy:write`.

        Errors of this operation: `project_archived` (409), `rollout_ended` (409), `version_mismatch` (412).

        :param name: The name of the environment. The first deployment to it creates it.
        :param reason: The reason, for people. Null if not set.
        """
        return await self._call("POST", path_of("/environments/", name, "/rollout/abort"), options, body={"reason": reason}, takes="idempotency_key if_match")

    async def advance(
        self,
        name: str,
        *,
        reason: str | None = NOT_GIVEN,
        **options: Unpack[PostIfMatchOptions]
    ) -> t.Rollout:
        """Advance a rollout.

        Begins the next step at once, in place of the rest of the present step, whatever the guards say. After the
        last step, the rollout completes: the candidate is promoted.

        Requires the scope `deploy:write`.

        Errors of this operation: `project_archived` (409), `rollout_ended` (409), `rollout_paused` (409),
        `rollout_without_steps` (409), `version_mismatch` (412).

        :param name: The name of the environment. The first deployment to it creates it.
        :param reason: The reason, for people. Null if not set.
        """
        return await self._call("POST", path_of("/environments/", name, "/rollout/advance"), options, body={"reason": reason}, takes="idempotency_key if_match")

    async def complete(
        self,
        name: str,
        *,
        reason: str | None = NOT_GIVEN,
        **options: Unpack[PostIfMatchOptions]
    ) -> t.Rollout:
        """Complete a rollout.

        Promotes the candidate: the environment serves it to everybody, and is not pinned. The guards are not
        asked.

        Requires the scope `deploy:write`.

        Errors of this operation: `project_archived` (409), `rollout_ended` (409), `version_mismatch` (412).

        :param name: The name of the environment. The first deployment to it creates it.
        :param reason: The reason, for people. Null if not set.
        """
        return await self._call("POST", path_of("/environments/", name, "/rollout/complete"), options, body={"reason": reason}, takes="idempotency_key if_match")

    def list(
        self,
        name: str,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.RolloutSummary]:
        """List the rollouts of an environment.

        Returns the rollouts of the environment, newest first, without their comparisons.

        Requires the scope `deploy:read`.

        :param name: The name of the environment. The first deployment to it creates it.
        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        """
        return self._pages(path_of("/environments/", name, "/rollouts"), options, {"limit": limit, "cursor": cursor})


class AsyncRolloutsRaw:
    def __init__(self, methods: AsyncRolloutsMethods) -> None:
        self.get = raw(methods.get)
        self.start = raw(methods.start)
        self.update = raw(methods.update)
        self.abort = raw(methods.abort)
        self.advance = raw(methods.advance)
        self.complete = raw(methods.complete)
        self.list = raw_page(methods.list)


class AsyncUploadsMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncUploadsRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncUploadsRaw(self)

    async def create(
        self,
        *,
        bytes: int,
        purpose: t.UploadPurpose = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.Upload:
        """Upload a file.

        Returns a link for a file. PUT the file to the link within 15 minutes: exactly `bytes` bytes, without a
        credential. Then send the `id` as `upload_id` within 12 hours: with the purpose `conversations` to `POST
        …/conversations/import-file`, with the purpose `knowledge` to `POST …/knowledge/documents` or `PUT
        …/knowledge/documents/by-external-id/{external_id}`.

        The purpose `knowledge` requires `knowledge:write`. The file is deleted when it has been read, and after a
        day at the latest.

        Requires the scope `conversations:write` or `knowledge:write`.

        Errors of this operation: `project_archived` (409), `secret_unavailable` (409), `too_many_uploads` (409).

        :param bytes: The size of the file: at most 100 MB, and 25 MB for `knowledge`. The link accepts only a file
            of this size.
        :param purpose: What the file is for: an import of conversations, or a document of the knowledge.
        """
        return await self._call("POST", "/uploads", options, body={"bytes": bytes, "purpose": purpose}, takes="idempotency_key")


class AsyncUploadsRaw:
    def __init__(self, methods: AsyncUploadsMethods) -> None:
        self.create = raw(methods.create)


class AsyncUsageMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncUsageRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncUsageRaw(self)

    async def get(self, **options: Unpack[RequestOptions]) -> t.Usage:
        """Get limits and usage.

        Returns the limits of the calling credential and of its organisation, for the mode of the credential, and
        the usage, even without a quota. Requires no scope. `used` is null for a key that is bound to projects,
        because the usage includes other projects.

        With a quota, `used` is exact. Without a quota, data that is stored in a day is counted within seconds:
        `counted_through` is the time of the latest counted change. What models cost is always exact.

        Requires any valid credential.
        """
        return await self._call("GET", "/usage", options)

    async def days(
        self,
        *,
        from_: str | datetime = NOT_GIVEN,
        to: str | datetime = NOT_GIVEN,
        group_by: Literal["project"] = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.DailyUsage:
        """List usage by day.

        Returns what the organisation has used on each day (UTC), in the mode of the credential, oldest day first.
        The range is extended to whole days. Days on which nothing was used are left out. Days are kept for 400
        days.

        Stored data is counted in the background, usually within seconds. The cost of models and exported records
        are counted by the transaction that settles or exports them. All are counted with and without quotas.
        Deletions and erasures do not lower the counts. Searches and other reads write nothing, so they are not
        counted: the access log has them.

        With `groupBy=project`, `projects` has the days of each project, page by page. The sums of all projects are
        the sums of the organisation, for the days after the upgrade that has introduced them.

        Requires no scope, and `group_by` requires `projects:read`. A credential that is bound to projects is
        refused, because the usage includes other projects: use `GET /projects/{project_id}/usage/days`.

        Requires any valid credential.

        :param from_: Start of the range. Default: 30 days, including the last day.
        :param to: End of the range, exclusive. Default: now. At most 366 days after `from`.
        :param group_by: `project` also returns the days of each project.
        :param limit: The maximum number of projects in the page.
        :param cursor: The `projects.nextCursor` of the previous page. Send it with the same `group_by`, `from` and
            `to`.
        """
        return await self._call("GET", "/usage/days", options, query={"from": from_, "to": to, "groupBy": group_by, "limit": limit, "cursor": cursor})


class AsyncUsageRaw:
    def __init__(self, methods: AsyncUsageMethods) -> None:
        self.get = raw(methods.get)
        self.days = raw(methods.days)


class AsyncWebhooksMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncWebhooksRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncWebhooksRaw(self)

    def list(
        self,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        created_by: str = NOT_GIVEN,
        failing: bool = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.Webhook]:
        """List webhooks.

        Returns webhooks, newest first. A credential that is bound to projects gets only webhooks whose projects
        are all among its own projects.

        With a selective filter, a page may have fewer than `limit` items, or no items. Continue until
        `next_cursor` is null.

        Requires the scope `webhooks:read`.

        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        :param created_by: The id of an API key or of a workload identity, or `sub:` and the subject of an access
            token. Only webhooks that this credential created, or whose URL, content or secret it was the last to
            set.
        :param failing: `true` lists only webhooks whose last attempt has failed, and webhooks that were disabled
            because of their receiver (`failing`, `gone`). `false` lists only all other webhooks.
        """
        return self._pages("/webhooks", options, {"limit": limit, "cursor": cursor, "createdBy": created_by, "failing": failing})

    async def create(
        self,
        *,
        url: str,
        event_types: Sequence[t.WebhookEventTypes],
        project_ids: Sequence[str] | None = NOT_GIVEN,
        include: Sequence[Literal["messages"]] = NOT_GIVEN,
        description: str = NOT_GIVEN,
        disabled: bool = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.WebhookWithSecret:
        """Create a webhook.

        Creates a webhook, which sends events to a URL from now on, signed as in Standard Webhooks. An organisation
        can have 50 webhooks in each mode.

        Only this response shows the `secret`. To read it again, repeat the request with the same Idempotency-Key
        and the same credential.

        The receiver gets the data of all events of `event_types`. So the request requires the scopes that read
        this data, and 403 `insufficient_scope` names the missing scopes.

        Requires the scope `webhooks:write`.

        Errors of this operation: `secret_unavailable` (409), `too_many_webhooks` (409).

        :param url: Where events are sent: an `https://` URL with a public host, without user name, password and
            fragment, with the port 443 or a port above 1023. It is stored and shown in its normal form:
            `https:Example.com` becomes `https://example.com/`.
        :param event_types: The events to send: event types, `project.*` for all of a resource, or `*` for all. To
            set them, a credential needs the scopes that read the data of all these events.
        :param project_ids: Only events of these projects are sent. Default: the projects of the creating
            credential, or null for all events, including events that belong to no project.
        :param include: `messages` adds the transcript to `conversation.ended`. It requires the scope
            `conversations:read`.
        :param description: The purpose of the webhook.
        :param disabled: Whether nothing is sent yet. Default: false.
        """
        return await self._call("POST", "/webhooks", options, body={"url": url, "eventTypes": event_types, "projectIds": project_ids, "include": include, "description": description, "disabled": disabled}, takes="idempotency_key")

    async def get(self, webhook_id: str, **options: Unpack[RequestOptions]) -> t.Webhook:
        """Get a webhook.

        Returns the webhook without its secret.

        Requires the scope `webhooks:read`.

        :param webhook_id: The id of the webhook.
        """
        return await self._call("GET", path_of("/webhooks/", webhook_id), options)

    async def update(
        self,
        webhook_id: str,
        *,
        url: str = NOT_GIVEN,
        event_types: Sequence[t.WebhookEventTypes] = NOT_GIVEN,
        project_ids: Sequence[str] | None = NOT_GIVEN,
        include: Sequence[Literal["messages"]] = NOT_GIVEN,
        description: str | None = NOT_GIVEN,
        disabled: bool = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.Webhook:
        """Update a webhook.

        Replaces the fields in the body. Null removes a `description`. With `project_ids` null, the webhook gets
        the events of all projects. Pending deliveries go to the new URL. While the webhook is `disabled`, events
        are not sent to it, and pending deliveries fail. Enable it again with `"disabled": false`. If the webhook
        was disabled with a key (`key_revoked`), rotate its secret before you enable it. Then, and if it has come
        back from a backup (`restored`), the webhook records the caller that enables it as the setter of its URL
        and its content.

        To set `url`, `event_types`, `project_ids` or `include`, the caller needs the scopes that read the data of
        all events of the webhook, before and after the change.

        Requires the scope `webhooks:write`.

        :param webhook_id: The id of the webhook.
        :param url: Where events are sent: an `https://` URL with a public host, without user name, password and
            fragment, with the port 443 or a port above 1023. It is stored and shown in its normal form:
            `https:Example.com` becomes `https://example.com/`.
        :param event_types: The events to send: event types, `project.*` for all of a resource, or `*` for all. To
            set them, a credential needs the scopes that read the data of all these events.
        :param project_ids: Only events of these projects are sent. Null for all events, also those that belong to
            no project.
        :param include: `messages` adds the transcript to `conversation.ended`. It requires the scope
            `conversations:read`.
        :param description: The purpose of the webhook. Null if not set.
        :param disabled: Whether nothing is sent.
        """
        return await self._call("PATCH", path_of("/webhooks/", webhook_id), options, body={"url": url, "eventTypes": event_types, "projectIds": project_ids, "include": include, "description": description, "disabled": disabled})

    async def delete(self, webhook_id: str, **options: Unpack[RequestOptions]) -> t.Webhook:
        """Delete a webhook.

        Deletes the webhook and its secret. A request that is already under way may still reach the receiver.

        Requires the scope `webhooks:write`.

        :param webhook_id: The id of the webhook.
        """
        return await self._call("DELETE", path_of("/webhooks/", webhook_id), options)

    async def recover(self, webhook_id: str, *, since: str | datetime, **options: Unpack[PostOptions]) -> t.Webhook:
        """Recover missed events of a webhook.

        Sends again all failed deliveries of events since a time, and the events that were not sent because the
        webhook was disabled. The recovery runs in the background: `recovery` of the webhook shows when it has
        finished. Events are kept for 30 days.

        Requires the scope `webhooks:write`.

        Errors of this operation: `webhook_disabled` (409).

        :param webhook_id: The id of the webhook.
        :param since: Events at this time or later are sent again. In 1970 or later.
        """
        return await self._call("POST", path_of("/webhooks/", webhook_id, "/recover"), options, body={"since": since}, takes="idempotency_key")

    async def rotate_secret(
        self,
        webhook_id: str,
        *,
        overlap: Literal[0] | str = NOT_GIVEN,
        end_previous: bool = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.WebhookWithSecret:
        """Rotate a webhook's secret.

        Replaces the secret. Until `previous_secret_expires_at`, requests have a signature with each of the two
        secrets, so that you can replace the old secret everywhere. While the old secret is valid, another rotation
        is refused (`previous_secret_valid`, with the end of the old secret in the details), unless `end_previous`
        is true.

        A rotation needs the same scopes as a change of the URL: the scopes that read the data of the events, and
        for a webhook with messages `conversations:read`.

        Only this response shows the new `secret`. To read it again, repeat the request with the same
        Idempotency-Key and the same credential.

        Requires the scope `webhooks:write`.

        Errors of this operation: `previous_secret_valid` (409), `secret_unavailable` (409).

        :param webhook_id: The id of the webhook.
        :param overlap: How long the old secret stays valid: `0s` (or `0`), or a whole number of hours, days or
            weeks, at most 7 days. Default: `24h`.
        :param end_previous: Whether the secret from before the last rotation ends at once, although its end was
            announced for later. Default: false. Then the rotation is refused while that secret is valid.
        """
        return await self._call("POST", path_of("/webhooks/", webhook_id, "/rotate-secret"), options, body={"overlap": overlap, "endPrevious": end_previous}, takes="idempotency_key")

    async def test(self, webhook_id: str, **options: Unpack[PostOptions]) -> t.Delivery:
        """Test a webhook.

        Sends an event `webhook.test` only to this webhook, with any `event_types`. The `data` of the event is the
        webhook. The list of deliveries shows the response of the receiver.

        Requires the scope `webhooks:write`.

        Errors of this operation: `webhook_disabled` (409).

        :param webhook_id: The id of the webhook.
        """
        return await self._call("POST", path_of("/webhooks/", webhook_id, "/test"), options, takes="idempotency_key")


class AsyncWebhooksRaw:
    def __init__(self, methods: AsyncWebhooksMethods) -> None:
        self.list = raw_page(methods.list)
        self.create = raw(methods.create)
        self.get = raw(methods.get)
        self.update = raw(methods.update)
        self.delete = raw(methods.delete)
        self.recover = raw(methods.recover)
        self.rotate_secret = raw(methods.rotate_secret)
        self.test = raw(methods.test)


class AsyncWebhooksDeliveriesMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncWebhooksDeliveriesRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncWebhooksDeliveriesRaw(self)

    def list(
        self,
        webhook_id: str,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        status: t.DeliveryStatus = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.Delivery]:
        """List a webhook's deliveries.

        Returns the deliveries of 30 days, with their attempts, newest event first. The responses of the receiver
        (`body`) need the scope that reads the event, because a receiver may return the event. For a webhook with
        messages, they also need `conversations:read`.

        With a selective filter, a page may have fewer than `limit` items, or no items. Continue until
        `next_cursor` is null.

        Requires the scope `webhooks:read`.

        :param webhook_id: The id of the webhook.
        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        :param status: Only deliveries with this status.
        """
        return self._pages(path_of("/webhooks/", webhook_id, "/deliveries"), options, {"limit": limit, "cursor": cursor, "status": status})

    async def redeliver(self, webhook_id: str, delivery_id: str, **options: Unpack[PostOptions]) -> t.Delivery:
        """Send a delivery again.

        Sends the event again, with the same `webhook-id` and with new retries, in any status of the delivery. The
        event has its stored data. An erasure may have removed some of this data.

        Requires the scope `webhooks:write`.

        Errors of this operation: `webhook_disabled` (409).

        :param webhook_id: The id of the webhook.
        :param delivery_id: The id of the delivery.
        """
        return await self._call("POST", path_of("/webhooks/", webhook_id, "/deliveries/", delivery_id, "/redeliver"), options, takes="idempotency_key")


class AsyncWebhooksDeliveriesRaw:
    def __init__(self, methods: AsyncWebhooksDeliveriesMethods) -> None:
        self.list = raw_page(methods.list)
        self.redeliver = raw(methods.redeliver)


class AsyncWorkloadIdentitiesMethods(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> AsyncWorkloadIdentitiesRaw:
        """The same methods, but they return the response: status, headers and data."""
        return AsyncWorkloadIdentitiesRaw(self)

    def list(
        self,
        *,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        expires_before: str | datetime = NOT_GIVEN,
        created_by: str = NOT_GIVEN,
        status: t.WorkloadIdentityStatus = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> AsyncPages[t.WorkloadIdentity]:
        """List workload identities.

        Returns identities, newest first, including those that were deleted or expired in the last 30 days. A
        credential that is bound to projects gets only identities that are bound to the same projects or to some of
        them.

        With a selective filter, a page may have fewer than `limit` items, or no items. Continue until
        `next_cursor` is null.

        Requires the scope `api-keys:read`.

        :param limit: The maximum number of items in the page.
        :param cursor: The `next_cursor` of the previous page. Send it with the same filters.
        :param expires_before: Only identities that expire before this time.
        :param created_by: Only identities that this key or this workload identity created.
        :param status: Only identities with this status.
        """
        return self._pages("/workload-identities", options, {"limit": limit, "cursor": cursor, "expiresBefore": expires_before, "createdBy": created_by, "status": status})

    async def create(
        self,
        *,
        name: str,
        issuer: str,
        subject: str,
        scopes: Sequence[t.Scope],
        claims: t.IdentityClaimsParam = NOT_GIVEN,
        project_ids: Sequence[str] = NOT_GIVEN,
        environments: Sequence[str] = NOT_GIVEN,
        allowed_cidrs: Sequence[str] = NOT_GIVEN,
        rate_limit: t.RateLimitParam | None = NOT_GIVEN,
        expires_at: str | datetime | None = NOT_GIVEN,
        status: t.SettableIdentityStatus = NOT_GIVEN,
        jwks: t.PublicJwksParam | None = NOT_GIVEN,
        **options: Unpack[PostOptions]
    ) -> t.WorkloadIdentity:
        """Create a workload identity.

        Accepts OIDC tokens of another issuer in place of an API key, such as those that GitHub Actions gives to
        each run. A token must have the `issuer`, the `subject`, all `claims`, and the `audience` of the response
        as its only audience. Send it as `Authorization: Bearer`.

        The identity cannot have more scopes, projects or environments, wider addresses, a higher limit or a longer
        lifetime than the credential that creates it. Without `jwks`, the service reads the document of the issuer
        (`/.well-known/openid-configuration`) and its keys: if it cannot, the response is 400 with the reason.

        Requires the scope `api-keys:write`.

        Errors of this operation: `too_many_identities` (409).

        :param name: A display name. Not blank, without control characters.
        :param issuer: The exact `iss` of the tokens: an `https://` URL without query and fragment. With `jwks`,
            the service does not need to reach it.
        :param subject: The `sub` of the tokens: 1 to 255 printable ASCII characters. Case matters. `:` and `/`
            separate segments. `*` stands for one or more characters inside a segment, other than `:`, `/` and `%`.
            A segment has at most one `*`, and the first two segments have none.
        :param scopes: The permissions of its tokens.
        :param claims: Claims that a token must have, with exactly these values. Names have up to 100 characters,
            texts up to 255. Use ids, such as `repository_id`: a name can belong to somebody else later.
        :param project_ids: The projects that its tokens can access. Default: all projects, or those of the
            creating credential.
        :param environments: The environments that its tokens can access, as for an API key. Default: all
            environments, or those of the creating credential. They cannot be changed.
        :param allowed_cidrs: The addresses from which its tokens may be used, as for an API key. Default:
            everywhere, or the addresses of the creating credential.
        :param rate_limit: The limit of all its tokens together. Default: the limit of the creating credential, or
            no limit.
        :param expires_at: When it expires, or null. Default: when the creating credential expires.
        :param status: Whether its tokens are accepted. Default: `active`.
        :param jwks: The public keys of an issuer that the service cannot reach, such as a private cluster: at most
            20 keys and 16 KB, each with a `kid`, RSA with at least 2048 bits. Null: the service reads the keys of
            the issuer.
        """
        return await self._call("POST", "/workload-identities", options, body={"name": name, "issuer": issuer, "subject": subject, "claims": claims, "scopes": scopes, "projectIds": project_ids, "environments": environments, "allowedCidrs": allowed_cidrs, "rateLimit": rate_limit, "expiresAt": expires_at, "status": status, "jwks": jwks}, takes="idempotency_key")

    async def get(self, identity_id: str, **options: Unpack[RequestOptions]) -> t.WorkloadIdentity:
        """Get a workload identity.

        Returns the identity. A deleted or expired identity is returned for 30 more days.

        Requires the scope `api-keys:read`.

        :param identity_id: The id of the workload identity.
        """
        return await self._call("GET", path_of("/workload-identities/", identity_id), options)

    async def update(
        self,
        identity_id: str,
        *,
        name: str = NOT_GIVEN,
        issuer: str = NOT_GIVEN,
        subject: str = NOT_GIVEN,
        claims: t.IdentityClaimsParam = NOT_GIVEN,
        scopes: Sequence[t.Scope] = NOT_GIVEN,
        allowed_cidrs: Sequence[str] | None = NOT_GIVEN,
        rate_limit: t.RateLimitParam | None = NOT_GIVEN,
        expires_at: str | datetime | None = NOT_GIVEN,
        status: t.SettableIdentityStatus = NOT_GIVEN,
        jwks: t.PublicJwksParam | None = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.WorkloadIdentity:
        """Update a workload identity.

        Replaces the fields in the body, from the next request on. `status` `suspended` refuses all tokens until it
        is `active` again. The caller must have every scope of the identity. To change `issuer`, `subject`,
        `claims` or `jwks`, or to make the identity active, the caller must be able to create the identity as it is
        then. For all other fields, the rules of `PATCH /api-keys/{key_id}` apply. An identity cannot change
        itself. A deleted or expired identity cannot be changed.

        Requires the scope `api-keys:write`.

        Errors of this operation: `identity_ended` (409).

        :param identity_id: The id of the workload identity.
        :param name: A display name. Not blank, without control characters.
        :param issuer: The exact `iss` of the tokens: an `https://` URL without query and fragment. With `jwks`,
            the service does not need to reach it.
        :param subject: The `sub` of the tokens: 1 to 255 printable ASCII characters. Case matters. `:` and `/`
            separate segments. `*` stands for one or more characters inside a segment, other than `:`, `/` and `%`.
            A segment has at most one `*`, and the first two segments have none.
        :param claims: Claims that a token must have, with exactly these values. Names have up to 100 characters,
            texts up to 255. Use ids, such as `repository_id`: a name can belong to somebody else later.
        :param scopes: The permissions of its tokens.
        :param allowed_cidrs: The addresses from which its tokens may be used. Null for everywhere.
        :param rate_limit: The limit of all its tokens together. Null removes the limit.
        :param expires_at: When it expires. Null if it does not expire.
        :param status: Whether its tokens are accepted.
        :param jwks: The public keys of an issuer that the service cannot reach, such as a private cluster: at most
            20 keys and 16 KB, each with a `kid`, RSA with at least 2048 bits. Null: the service reads the keys of
            the issuer.
        """
        return await self._call("PATCH", path_of("/workload-identities/", identity_id), options, body={"name": name, "issuer": issuer, "subject": subject, "claims": claims, "scopes": scopes, "allowedCidrs": allowed_cidrs, "rateLimit": rate_limit, "expiresAt": expires_at, "status": status, "jwks": jwks})

    async def delete(
        self,
        identity_id: str,
        *,
        children: bool = NOT_GIVEN,
        force: bool = NOT_GIVEN,
        dry_run: bool = NOT_GIVEN,
        **options: Unpack[RequestOptions]
    ) -> t.DeletedWorkloadIdentity:
        """Delete a workload identity.

        Deletes the identity permanently. Every request with one of its tokens that starts after this response is
        refused. Deleting a deleted identity changes nothing. The caller must have every scope of the identity,
        unless the identity deletes itself.

        `children=true`, `force=true` and `dryRun=true` are as for `DELETE /api-keys/{key_id}`: with
        `children=true`, the response is 202, and everything ends that the identity has created or set with any of
        its tokens. `children_revocation` shows the progress.

        Requires the scope `api-keys:write`.

        Errors of this operation: `last_key` (409).

        :param identity_id: The id of the workload identity.
        :param children: Whether the keys and workload identities below it end too (those that it created, and
            those that they created), their webhooks are disabled, and their sources, evaluators and rollouts
            paused. Default: false.
        :param force: Whether to end it even if no key is left that can create keys. Default: false.
        :param dry_run: Whether to only show the effects, without any change. Default: false.
        """
        return await self._call("DELETE", path_of("/workload-identities/", identity_id), options, query={"children": children, "force": force, "dryRun": dry_run})


class AsyncWorkloadIdentitiesRaw:
    def __init__(self, methods: AsyncWorkloadIdentitiesMethods) -> None:
        self.list = raw_page(methods.list)
        self.create = raw(methods.create)
        self.get = raw(methods.get)
        self.update = raw(methods.update)
        self.delete = raw(methods.delete)
