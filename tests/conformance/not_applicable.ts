/**
 * What does not apply to paddock in the conformance suite, with the reason. The suite is made for a server with
 * certain tools, prompts and resources; paddock has other tools and resources, and no prompts. Whatever is not named
 * here must pass, and in every scenario so must the check that each message is valid according to the schema of its
 * revision.
 */

const FIXTURE = "calls a tool that only the suite's own server has";
const NO_PROMPTS = "paddock has no prompts";
const FIXTURE_RESOURCE = "reads a resource that only the suite's own server has";
const ASKS_NOTHING =
  "calls a tool of the suite's own server that asks its client for something; paddock asks nothing";
const NO_TASKS = "tasks are an extension, which paddock does not offer";

/** By the name of the scenario. */
export const SCENARIOS: Readonly<Record<string, string>> = {
  "completion-complete": "completes the argument of a prompt, and paddock has none",
  "elicitation-sep1034-defaults": ASKS_NOTHING,
  "elicitation-sep1330-enums": ASKS_NOTHING,
  "http-custom-header-server-validation":
    "needs a tool with arguments that are headers too; paddock has none",
  "input-required-result-basic-elicitation": ASKS_NOTHING,
  "input-required-result-basic-list-roots": ASKS_NOTHING,
  "input-required-result-basic-sampling": ASKS_NOTHING,
  "input-required-result-capability-check": ASKS_NOTHING,
  "input-required-result-ignore-extra-params": ASKS_NOTHING,
  "input-required-result-missing-input-response": ASKS_NOTHING,
  "input-required-result-multi-round": ASKS_NOTHING,
  "input-required-result-multiple-input-requests": ASKS_NOTHING,
  "input-required-result-non-tool-request": NO_PROMPTS,
  "input-required-result-request-state": ASKS_NOTHING,
  "input-required-result-result-type": ASKS_NOTHING,
  "input-required-result-tampered-state": ASKS_NOTHING,
  "json-schema-2020-12": FIXTURE,
  "logging-set-level": "paddock logs to its operator, not to its clients",
  "prompts-get-embedded-resource": NO_PROMPTS,
  "prompts-get-simple": NO_PROMPTS,
  "prompts-get-with-args": NO_PROMPTS,
  "prompts-get-with-image": NO_PROMPTS,
  "prompts-list": NO_PROMPTS,
  "resources-read-binary": FIXTURE_RESOURCE,
  "resources-read-text": FIXTURE_RESOURCE,
  "resources-subscribe": FIXTURE_RESOURCE,
  "resources-templates-read": FIXTURE_RESOURCE,
  "resources-unsubscribe": FIXTURE_RESOURCE,
  "server-sse-polling": FIXTURE,
  "tasks-capability-negotiation": NO_TASKS,
  "tasks-dispatch-and-envelope": NO_TASKS,
  "tasks-lifecycle": NO_TASKS,
  "tasks-mrtr-composition": NO_TASKS,
  "tasks-mrtr-input": NO_TASKS,
  "tasks-request-headers": NO_TASKS,
  "tasks-request-state-removal": NO_TASKS,
  "tasks-required-task-error": NO_TASKS,
  "tasks-status-notifications": NO_TASKS,
  "tasks-wire-fields": NO_TASKS,
  "tools-call-audio": FIXTURE,
  "tools-call-elicitation": ASKS_NOTHING,
  "tools-call-embedded-resource": FIXTURE,
  "tools-call-error": FIXTURE,
  "tools-call-image": FIXTURE,
  "tools-call-mixed-content": FIXTURE,
  "tools-call-sampling": ASKS_NOTHING,
  "tools-call-simple-text": FIXTURE,
  "tools-call-with-logging": FIXTURE,
  "tools-call-with-progress": FIXTURE,
};

/** Single checks in scenarios that apply otherwise, by the id of the check. */
export const CHECKS: Readonly<Record<string, string>> = {
  "sep-2549-prompts-list-caching-hints": NO_PROMPTS,
  "sep-2575-http-server-no-independent-requests-on-stream": FIXTURE,
  "sep-2575-missing-capability-http-400": FIXTURE,
  "sep-2575-server-no-log-without-loglevel": FIXTURE,
  "sep-2575-server-sends-tools-list-changed-on-subscription": FIXTURE,
  "sep-2575-server-rejects-undeclared-capability": FIXTURE,
};
