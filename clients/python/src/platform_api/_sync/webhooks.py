# Written by `npm run generate` from _async/webhooks.py.

"""Verifies the requests of webhooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .methods import WebhooksMethods

if TYPE_CHECKING:
    from ..helpers.webhooks import WebhookHeaders
    from ..types import PlatformEvent


class WebhooksHelpers(WebhooksMethods):
    __slots__ = ()

    @staticmethod
    def unwrap(
        body: str | bytes | bytearray | memoryview,
        headers: WebhookHeaders,
        secret: str,
        *,
        tolerance: float = 300.0,
        now: float | None = None,
    ) -> PlatformEvent:
        """Verifies a request, and parses it. The same as ``platform_api.unwrap_webhook``, which needs no key of the API.

        :param body: the raw body, as it was received: text or bytes, not parsed
        :param secret: as in the response that created the webhook or rotated its secret
        :param tolerance: how old a request may be, or how far in the future, in seconds
        :param now: the current time in seconds since 1970. Default: ``time.time()``
        :returns: the event
        :raises WebhookVerificationError: if no signature is right, if the time is not within the tolerance, or if there is no raw
            body, such as after a parser, or if the arguments are in another order
        :raises ValueError: if the secret is none, or if a verified body is no JSON
        """
        # Its modules take time to import.
        from ..helpers.webhooks import unwrap_webhook

        return unwrap_webhook(body, headers, secret, tolerance=tolerance, now=now)
