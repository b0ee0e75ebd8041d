"""Prints the routes that SAM reads from a template: JSON, [[method, path, name of the function], ...]."""

import json
import sys

from samcli.lib.providers.api_provider import ApiProvider
from samcli.lib.providers.sam_stack_provider import SamLocalStackProvider

stacks, _ = SamLocalStackProvider.get_stacks(sys.argv[1])
routes = ApiProvider(stacks).api.routes
print(json.dumps([[method, route.path, route.function_name] for route in routes for method in route.methods]))
