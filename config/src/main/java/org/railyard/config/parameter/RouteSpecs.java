package org.railyard.config.parameter;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.Routes;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidFormatException;

/**
 * The parameter {@code routes}: routes with ranges, such as {@code o2ib[1-2] 1 10.1.0.[1-3]@tcp:1; tcp7 10.1.0.9@tcp}
 * (spec 12 §7.3).
 */
public final class RouteSpecs {
    /** Most routes that a text may stand for. */
    public static final int MAX_ROUTES = 16_384;

    private static final int MAX_HOPS = 255;
    private static final int MAX_BRACKETS = 8;
    private static final Pattern END_OF_RULE = Pattern.compile("[;\\n]");
    private static final Pattern COMMENT = Pattern.compile("#.*");
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Pattern BRACKET = Pattern.compile("\\[([^\\]]*)\\]");
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9})(?:/([0-9]{1,9}))?)?");
    private static final Pattern PRIORITY = Pattern.compile("(.*@.*):([0-9]{1,9})");

    private RouteSpecs() {}

    /**
     * A route.
     *
     * @param net where it leads to
     * @param gateway the router
     * @param hops 1…255, −1 for not told
     * @param priority 0 is best
     */
    public record Route(Net net, Nid gateway, int hops, int priority) {}

    /**
     * Reads the parameter.
     *
     * @throws ErrnoException EINVAL if it can not be read, or stands for more than {@link #MAX_ROUTES}; tells which
     *     rule
     */
    public static List<Route> parse(String text) {
        List<Route> routes = new ArrayList<>();
        for (String line : END_OF_RULE.split(text)) {
            String rule = COMMENT.matcher(line).replaceFirst("").strip();
            if (!rule.isEmpty()) {
                rule(rule, routes);
            }
        }
        return routes;
    }

    private static void rule(String rule, List<Route> routes) {
        if (rule.length() > NetSpecs.MAX_CHARACTERS) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "routes: a rule of " + rule.length() + " characters; expected at most " + NetSpecs.MAX_CHARACTERS);
        }
        String[] words = BLANKS.split(rule);
        boolean hopsGiven = words.length > 1 && words[1].matches("[0-9]{1,9}");
        int hops = hopsGiven ? Integer.parseInt(words[1]) : Routes.UNDEFINED_HOPS;
        int first = hopsGiven ? 2 : 1;
        if (hopsGiven && (hops < 1 || hops > MAX_HOPS)) {
            throw wrong(rule, hops + " hops; expected 1…" + MAX_HOPS);
        }
        if (words.length <= first) {
            throw wrong(rule, "no router; expected one such as 10.1.0.1@tcp behind the net");
        }
        for (String name : expand(words[0], rule)) {
            Net net = net(name, rule);
            for (int i = first; i < words.length; i++) {
                Matcher priority = PRIORITY.matcher(words[i]);
                boolean has = priority.matches();
                for (String gateway : expand(has ? priority.group(1) : words[i], rule)) {
                    if (routes.size() == MAX_ROUTES) {
                        throw wrong(rule, "more than " + MAX_ROUTES + " routes");
                    }
                    routes.add(new Route(net, nid(gateway, rule), hops, has ? Integer.parseInt(priority.group(2)) : 0));
                }
            }
        }
    }

    /** Returns the texts that one with brackets stands for. */
    private static List<String> expand(String text, String rule) {
        Matcher bracket = BRACKET.matcher(text);
        if (!bracket.find()) {
            if (text.indexOf('[') >= 0 || text.indexOf(']') >= 0) {
                throw wrong(rule, "'" + text + "' has a bracket without the other one");
            }
            return List.of(text);
        }
        if (text.chars().filter(c -> c == '[').count() > MAX_BRACKETS) {
            throw wrong(rule, "'" + text + "' has more than " + MAX_BRACKETS + " brackets");
        }
        List<String> all = new ArrayList<>();
        for (String part : bracket.group(1).split(",", -1)) {
            Matcher range = RANGE.matcher(part.strip());
            if (!range.matches()) {
                throw wrong(rule, "'" + part + "' in brackets; expected a number or a range such as 1-5 or 2-10/2");
            }
            int low = Integer.parseInt(range.group(1));
            int high = range.group(2) == null ? low : Integer.parseInt(range.group(2));
            int step = range.group(3) == null ? 1 : Integer.parseInt(range.group(3));
            if (high < low || step == 0 || (high - low) % step != 0) {
                throw wrong(rule, "range '" + part + "'; expected one that goes up, in steps that fit into it");
            }
            for (int i = low; i <= high; i += step) {
                String one = text.substring(0, bracket.start()) + i + text.substring(bracket.end());
                all.addAll(expand(one, rule));
                if (all.size() > MAX_ROUTES) {
                    throw wrong(rule, "more than " + MAX_ROUTES + " routes");
                }
            }
        }
        return all;
    }

    private static Net net(String text, String rule) {
        try {
            return Net.parse(text);
        } catch (NidFormatException e) {
            throw wrong(rule, "net " + e.getMessage());
        }
    }

    private static Nid nid(String text, String rule) {
        try {
            return Nid.parse(text);
        } catch (NidFormatException e) {
            throw wrong(rule, "router " + e.getMessage());
        }
    }

    private static ErrnoException wrong(String rule, String what) {
        return new ErrnoException(Errno.EINVAL, "routes: '" + rule + "': " + what);
    }
}
