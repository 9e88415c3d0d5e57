package org.railyard.node.selftest;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.Doc;
import org.railyard.selftest.api.BatchView;
import org.railyard.selftest.api.GroupView;
import org.railyard.selftest.api.NodeResult;
import org.railyard.selftest.api.NodeState;
import org.railyard.selftest.api.NodeView;
import org.railyard.selftest.api.SessionView;
import org.railyard.selftest.api.TestSpec;
import org.railyard.selftest.api.TestView;
import org.railyard.selftest.wire.BatchReply;
import org.railyard.selftest.wire.BrwRequest;
import org.railyard.selftest.wire.DebugReply;
import org.railyard.selftest.wire.Pattern;
import org.railyard.selftest.wire.StatReply;
import org.railyard.selftest.wire.TestParameters;
import org.railyard.selftest.wire.WelcomeReply;

/** What a console says, as documents. */
final class ConsoleDocuments {
    private ConsoleDocuments() {}

    static Map<String, Object> of(SessionView session) {
        return new Doc()
                .put("name", session.name())
                .put("key", session.key())
                .put("features", session.features())
                .put("timeout", session.timeoutSeconds())
                .put("force", session.force())
                .put("id", session.id())
                .put("groups", session.groups())
                .put("batches", session.batches())
                .map();
    }

    static Map<String, Object> ofNullable(@Nullable SessionView session) {
        return session == null ? Map.of() : of(session);
    }

    static Map<String, Object> ofGroups(List<GroupView> groups) {
        return new Doc()
                .put(
                        "groups",
                        groups.stream()
                                .<Object>map(group -> new Doc()
                                        .put("name", group.name())
                                        .put("nodes", nodes(group.nodes()))
                                        .map())
                                .toList())
                .map();
    }

    private static List<Object> nodes(List<NodeView> nodes) {
        return nodes.stream()
                .<Object>map(node -> new Doc()
                        .put("nid", node.node().nid().toString())
                        .put("state", word(node.state()))
                        .map())
                .toList();
    }

    private static String word(NodeState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    static Map<String, Object> ofBatches(List<BatchView> batches) {
        return new Doc()
                .put(
                        "batches",
                        batches.stream().<Object>map(ConsoleDocuments::of).toList())
                .map();
    }

    private static Map<String, Object> of(BatchView batch) {
        return new Doc()
                .put("name", batch.name())
                .put("id", batch.id())
                .put("running", batch.running())
                .put(
                        "tests",
                        batch.tests().stream().<Object>map(ConsoleDocuments::of).toList())
                .map();
    }

    private static Map<String, Object> of(TestView test) {
        TestSpec spec = test.spec();
        TestParameters.Bulk bulk = spec.bulk();
        Doc doc = new Doc()
                .put("index", test.index())
                .put("test", bulk == null ? "ping" : "brw")
                .put("loop", spec.loop())
                .put("concurrency", spec.concurrency())
                .put("distribute", spec.distribute())
                .put("span", spec.span());
        if (bulk != null) {
            Pattern check = Pattern.of(bulk.check());
            doc.put("operation", bulk.operation() == BrwRequest.READ ? "read" : "write")
                    .put("size", bulk.length())
                    .put("offset", bulk.offset())
                    .put("check", check == null ? "" : check.name().toLowerCase(Locale.ROOT));
        }
        return doc.put("from", nodes(test.from())).put("to", nodes(test.to())).map();
    }

    static Map<String, Object> ofResults(List<NodeResult> results) {
        return new Doc()
                .put("nodes", results.stream().<Object>map(ConsoleDocuments::of).toList())
                .map();
    }

    private static Map<String, Object> of(NodeResult result) {
        Doc doc = new Doc()
                .put("nid", result.node().nid().toString())
                .put("state", word(result.state()))
                .put("errno", result.status());
        switch (result.reply()) {
            case WelcomeReply welcome when !welcome.name().isEmpty() -> doc.put("session", welcome.name());
            case DebugReply debug
            when debug.status() == 0 ->
                doc.put("session", debug.name()).put("id", debug.session().toString());
            case BatchReply batch -> doc.put("active", batch.active());
            case StatReply stat -> add(doc, stat);
            case null, default -> {
                // What it says is in the status.
            }
        }
        return doc.map();
    }

    private static void add(Doc doc, StatReply stat) {
        StatReply.Framework framework = stat.framework();
        StatReply.Rpc rpc = stat.rpc();
        StatReply.Lnet lnet = stat.lnet();
        doc.put(
                        "framework",
                        new Doc()
                                .put("running_ms", Integer.toUnsignedLong(framework.runningMillis()))
                                .put("active_batches", Integer.toUnsignedLong(framework.activeBatches()))
                                .put("zombie_sessions", Integer.toUnsignedLong(framework.zombieSessions()))
                                .put("brw_errors", Integer.toUnsignedLong(framework.brwErrors()))
                                .put("ping_errors", Integer.toUnsignedLong(framework.pingErrors())))
                .put(
                        "rpc",
                        new Doc()
                                .put("errors", Integer.toUnsignedLong(rpc.errors()))
                                .put("sent", Integer.toUnsignedLong(rpc.sent()))
                                .put("rcvd", Integer.toUnsignedLong(rpc.received()))
                                .put("dropped", Integer.toUnsignedLong(rpc.dropped()))
                                .put("expired", Integer.toUnsignedLong(rpc.expired()))
                                .put("bulk_get", rpc.bulkGet())
                                .put("bulk_put", rpc.bulkPut()))
                .put(
                        "lnet",
                        new Doc()
                                .put("send_count", Integer.toUnsignedLong(lnet.sendCount()))
                                .put("recv_count", Integer.toUnsignedLong(lnet.receiveCount()))
                                .put("drop_count", Integer.toUnsignedLong(lnet.dropCount()))
                                .put("send_length", lnet.sendLength())
                                .put("recv_length", lnet.receiveLength()));
    }
}
