package org.railyard.sm.conf;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.railyard.fabric.format.FormatException;

/**
 * Which router leads to which other subnet: OpenSM's file of prefix routes. In each line a prefix and the GUID of a
 * router's port, hexadecimal, or an asterisk for any.
 *
 * @param routes in the order of the file, which is that in which they are tried
 */
public record PrefixRoutes(List<Route> routes) {
    /** Most routes. */
    public static final int MAX_ROUTES = 65_536;

    /** No routes: other subnets can not be reached. */
    public static final PrefixRoutes NONE = new PrefixRoutes(List.of());

    private static final int MAX_TEXT = 16 << 20;
    private static final int MAX_DIGITS = 16;

    /** Takes a copy. */
    public PrefixRoutes {
        routes = List.copyOf(routes);
    }

    /**
     * One line.
     *
     * @param prefix of GIDs in the other subnet; empty for any
     * @param guid port GUID of a router; empty for the first there is
     */
    public record Route(OptionalLong prefix, OptionalLong guid) {}

    /** Returns the routes of a prefix, in the order in which they are tried. */
    public List<Route> of(long prefix) {
        return routes.stream()
                .filter(route -> route.prefix.isEmpty() || route.prefix.getAsLong() == prefix)
                .toList();
    }

    /**
     * Reads the file.
     *
     * @throws FormatException with line and column, if a line is not a prefix and a GUID, or there are too many
     */
    public static PrefixRoutes parse(String text) {
        ConfText in = new ConfText(text, MAX_TEXT);
        List<Route> routes = new ArrayList<>();
        while (!in.atEnd()) {
            int line = in.line();
            OptionalLong prefix = value(in, "a prefix of 64 bits");
            if (in.atEnd() || in.line() != line) {
                throw in.failAtWord("a prefix and, in the same line, the port GUID of a router");
            }
            OptionalLong guid = value(in, "the port GUID of a router");
            if (!in.atEnd() && in.line() == line) {
                throw in.fail("end of line");
            }
            if (routes.size() == MAX_ROUTES) {
                throw in.fail("at most " + MAX_ROUTES + " routes");
            }
            routes.add(new Route(prefix, guid));
        }
        return new PrefixRoutes(routes);
    }

    private static OptionalLong value(ConfText in, String what) {
        String word = in.required(what + ", hexadecimal, or *");
        if (word.equals("*")) {
            return OptionalLong.empty();
        }
        String digits = word.startsWith("0x") || word.startsWith("0X") ? word.substring(2) : word;
        try {
            if (digits.length() <= MAX_DIGITS && !digits.startsWith("+")) {
                return OptionalLong.of(Long.parseUnsignedLong(digits, 16));
            }
        } catch (NumberFormatException _) {
            // Told below.
        }
        throw in.failAtWord(what + ", hexadecimal, or *");
    }
}
