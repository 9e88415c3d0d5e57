package org.railyard.cli.lst;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.cli.service.RunningNode;
import org.railyard.host.SystemUser;
import org.railyard.node.control.SocketPath;
import org.railyard.node.selftest.SelftestService;

/** The console of the daemon of this machine. */
final class LstConsole {
    /** Environment variable with the key of the session, a number; nodes' sessions of others stay untouched. */
    static final String KEY_VARIABLE = "LST_SESSION";

    /** Environment variable with the feature bits that are wanted. */
    static final String FEATURES_VARIABLE = "LST_FEATURES";

    private final Path socket;
    private final int key;
    private final int features;

    private LstConsole(Path socket, int key, int features) {
        this.socket = socket;
        this.key = key;
        this.features = features;
    }

    /**
     * Returns the console that the environment tells of.
     *
     * @throws IllegalArgumentException if a number in it is none
     */
    static LstConsole ofEnvironment(Map<String, String> environment) {
        return new LstConsole(
                SocketPath.LNETD.toAsk(environment, SystemUser.name()),
                number(environment, KEY_VARIABLE, 0),
                number(environment, FEATURES_VARIABLE, 1));
    }

    /** Tells whether the environment has a key. */
    static boolean hasKey(Map<String, String> environment) {
        return !environment.getOrDefault(KEY_VARIABLE, "").isBlank();
    }

    private static int number(Map<String, String> environment, String name, int otherwise) {
        String text = environment.getOrDefault(name, "").strip();
        try {
            return text.isEmpty() ? otherwise : Integer.decode(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is '" + text + "'; expected a number", e);
        }
    }

    int features() {
        return features;
    }

    /** Begins a request. */
    Request request(String name) {
        return new Request(name).with("key", key);
    }

    /** A request to be filled in. */
    final class Request {
        private final String name;
        private final Map<String, Object> fields = new LinkedHashMap<>();

        private Request(String name) {
            this.name = name;
        }

        Request with(String field, @Nullable Object value) {
            if (value != null) {
                fields.put(field, value instanceof Integer number ? Long.valueOf(number) : value);
            }
            return this;
        }

        /** Says which nodes are meant: a group, or NIDs. */
        Request about(String target) {
            return with(target.contains("@") ? "nodes" : "group", target);
        }

        /**
         * Sends it.
         *
         * @throws org.railyard.control.DlcException if it is refused
         * @throws org.railyard.cli.service.NoServiceException if no daemon answers
         */
        Map<String, Object> send() {
            return RunningNode.post(socket, SelftestService.NAME + "/" + name, fields);
        }

        /** Sends it; returns what nodes said. */
        List<NodeAnswer> ask() {
            return NodeAnswer.of(send());
        }
    }
}
