/**
 * Everything a server may load later, loaded at once: see `cli/transpiled_parts.ts`. A pin test checks
 * that nothing is missing.
 */
import "../console/front/listener.ts";
import "../console/hand.ts";
import "../console/page.ts";
import "../console/serve.ts";
import "../console/view/viewer.ts";
import "../console/view/watcher.ts";
import "../engine/history/mod.ts";
import "../engine/multi_edit.ts";
import "../engine/search/mod.ts";
import "../engine/undo/asking.ts";
import "../engine/undo/keep_tree.ts";
import "../engine/undo/mod.ts";
import "../engine/undo/roll_back.ts";
import "../surfaces/classic/surface.ts";
import "../surfaces/flat/folder.ts";
import "../surfaces/flat/rest_face.ts";
import "../surfaces/flat/surface.ts";
import "../surfaces/media.ts";
import "../surfaces/patch_text.ts";
import "../surfaces/resources/host.ts";
import "../surfaces/roots/change_failures.ts";
import "../surfaces/roots/edits_in_words.ts";
import "../surfaces/roots/surface.ts";
import "../surfaces/workspaces/surface.ts";
import "../text/patch.ts";
import "../transports/http/connections.ts";
import "../transports/http_listener.ts";
import "../transports/judged_message.ts";
import "../transports/sdk_stdio.ts";
import "../transports/stdio_session.ts";
import "./acp_tools.ts";
import "./console.ts";
import "./far_names.ts";
import "./remote_tools.ts";
import "./server_console.ts";
import "./surfaces.ts";
