package org.railyard.cli.lst;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;

/** What came of asking a node, as the daemon tells it. */
record NodeAnswer(Map<?, ?> document) {
    static List<NodeAnswer> of(Map<String, Object> answer) {
        List<NodeAnswer> all = new ArrayList<>();
        if (answer.get("nodes") instanceof List<?> nodes) {
            for (Object each : nodes) {
                if (each instanceof Map<?, ?> document) {
                    all.add(new NodeAnswer(document));
                }
            }
        }
        return all;
    }

    /** Returns what nodes answered, for programs. */
    static Map<String, Object> documents(List<NodeAnswer> answers) {
        return Map.of("nodes", answers.stream().map(each -> each.document).toList());
    }

    String nid() {
        return text("nid");
    }

    /** Returns how it looks now, with a capital. */
    String state() {
        String word = text("state");
        return word.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    int errno() {
        return (int) number("errno");
    }

    boolean isGood() {
        return errno() == 0;
    }

    /** Returns what is wrong with it, for people. */
    String problem() {
        return nid() + ": " + (hasLeft() ? left() : isElsewhere() ? elsewhere() : Errno.describe(errno()));
    }

    private static String left() {
        return "is not in the session any more (" + Errno.ESRCH
                + "), because it heard nothing of it for too long or was started anew; take it in again"
                + " with 'lst update_group --refresh GROUP', and add its tests again";
    }

    private String elsewhere() {
        String session = text("session");
        return "is in another session" + (session.isEmpty() ? "" : ", '" + session + "'") + " (" + Errno.EBUSY
                + "); 'lst ping --nodes " + nid() + "' tells whose; wait for its end, or begin yours with"
                + " 'lst new_session --force NAME', which ends it on the nodes that it takes";
    }

    private boolean hasLeft() {
        return errno() == Errno.ESRCH.status() && state().equals("Unknown");
    }

    private boolean isElsewhere() {
        return errno() == Errno.EBUSY.status() && state().equals("Busy");
    }

    String text(String key) {
        Object value = document.get(key);
        return value == null ? "" : value.toString();
    }

    /** Returns a number in it, or in a part of it: {@code rpc.errors}; 0 if it is not there. */
    long number(String path) {
        Object value = document;
        for (String key : path.split("\\.")) {
            value = value instanceof Map<?, ?> map ? get(map, key) : null;
        }
        return value instanceof Number number ? number.longValue() : 0;
    }

    private static @Nullable Object get(Map<?, ?> map, String key) {
        return map.get(key);
    }
}
