package org.railyard.node.selftest;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.lnet.nid.NidList;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.NodeState;
import org.railyard.selftest.api.TestSpec;
import org.railyard.selftest.wire.BrwRequest;
import org.railyard.selftest.wire.Pattern;
import org.railyard.selftest.wire.TestParameters;
import org.railyard.selftest.wire.TestRequest;

/** The fields of a request. */
record RequestFields(Map<String, Object> map) {
    boolean has(String name) {
        return map.get(name) != null;
    }

    /**
     * Returns a field.
     *
     * @throws ErrnoException EINVAL if it is not there
     */
    String text(String name) {
        Object value = map.get(name);
        if (value == null) {
            throw new ErrnoException(Errno.EINVAL, "field '" + name + "' is missing");
        }
        return String.valueOf(value);
    }

    /**
     * Returns a field that is a number, decimal.
     *
     * @throws ErrnoException EINVAL if it is none
     */
    public int number(String name, int otherwise) {
        Object value = map.get(name);
        try {
            return value == null ? otherwise : Math.toIntExact(Long.parseLong(String.valueOf(value)));
        } catch (ArithmeticException | NumberFormatException e) {
            throw new ErrnoException(Errno.EINVAL, "field '" + name + "' is '" + value + "'; expected a number", e);
        }
    }

    boolean isOn(String name) {
        return Boolean.parseBoolean(String.valueOf(map.get(name)));
    }

    /**
     * Returns a field that is a list of NIDs, with ranges: {@code 10.0.0.[1-9]@tcp}.
     *
     * @throws ErrnoException EINVAL if it is none
     */
    List<ProcessId> nodes(String name) {
        String text = text(name);
        try {
            return NidList.parse(text, TestSpec.MAX_NODES).nids().stream()
                    .map(ProcessId::of)
                    .toList();
        } catch (NidFormatException e) {
            throw new ErrnoException(Errno.EINVAL, "'" + text + "': " + e.getMessage(), e);
        }
    }

    /**
     * Returns a field that is a state.
     *
     * @throws ErrnoException EINVAL if it is none
     */
    NodeState state(String name) {
        String text = text(name);
        try {
            return NodeState.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new ErrnoException(Errno.EINVAL, "state '" + text + "'; expected active, busy, down or unknown", e);
        }
    }

    /**
     * Returns a test.
     *
     * @throws ErrnoException EINVAL if it can not be one
     */
    TestSpec test() {
        String kind = text("test");
        String from = text("from");
        String to = text("to");
        int loop = number("loop", TestRequest.FOR_EVER);
        int concurrency = number("concurrency", 1);
        int distribute = number("distribute", 1);
        int span = number("span", 1);
        return switch (kind) {
            case "ping" -> TestSpec.ping(from, to, loop, concurrency, distribute, span);
            case "brw" -> TestSpec.bulk(from, to, loop, concurrency, distribute, span, bulk());
            default -> throw new ErrnoException(Errno.EINVAL, "test '" + kind + "'; expected ping or brw");
        };
    }

    private TestParameters.Bulk bulk() {
        return new TestParameters.Bulk(operation(), check(), number("size", Pattern.PAGE), number("offset", 0));
    }

    private int operation() {
        String word = has("operation") ? text("operation") : "read";
        return switch (word) {
            case "read" -> BrwRequest.READ;
            case "write" -> BrwRequest.WRITE;
            default -> throw new ErrnoException(Errno.EINVAL, "operation '" + word + "'; expected read or write");
        };
    }

    private int check() {
        String word = has("check") ? text("check") : "none";
        return switch (word) {
            case "none" -> Pattern.NONE.number();
            case "simple" -> Pattern.SIMPLE.number();
            case "full" -> Pattern.FULL.number();
            default -> throw new ErrnoException(Errno.EINVAL, "check '" + word + "'; expected none, simple or full");
        };
    }
}
