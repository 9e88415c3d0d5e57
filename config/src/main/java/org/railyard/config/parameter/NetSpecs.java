package org.railyard.config.parameter;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.config.ni.CptLists;
import org.railyard.config.ni.NiGroups;
import org.railyard.lnet.lnd.InterfaceNames;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NidFormatException;

/**
 * The parameter {@code networks}: nets with interfaces and CPU partitions, such as {@code
 * tcp0(eth0[0],eth1[1]),o2ib3(ib0)[2]} (spec 12 §7.1).
 */
public final class NetSpecs {
    /** Longest text, characters. */
    public static final int MAX_CHARACTERS = 4096;

    private final String parameter;
    private final String text;
    private int at;

    private NetSpecs(String parameter, String text) {
        this.parameter = parameter;
        this.text = text;
    }

    /**
     * A net with its interfaces.
     *
     * @param net the net
     * @param interfaces its interfaces, none for the first usable one; those without CPU partitions of their own have
     *     those of the net
     * @param cpts the CPU partitions of the net, none to leave that to the node
     */
    public record NetSpec(Net net, List<InterfaceSpec> interfaces, List<Integer> cpts) {
        /** Copies the lists. */
        public NetSpec {
            interfaces = List.copyOf(interfaces);
            cpts = List.copyOf(cpts);
        }

        /** Returns the names of its interfaces. */
        List<String> names() {
            return interfaces.stream().map(InterfaceSpec::name).toList();
        }

        /** Returns the CPU partitions that its interfaces have together as one NI, none to leave that to the node. */
        List<Integer> groupCpts() {
            return interfaces.stream()
                    .flatMap(each -> each.cpts().stream())
                    .distinct()
                    .toList();
        }
    }

    /**
     * An interface.
     *
     * @param name its name
     * @param cpts its CPU partitions, none to leave that to the node
     */
    public record InterfaceSpec(String name, List<Integer> cpts) {
        /** Copies the list. */
        public InterfaceSpec {
            cpts = List.copyOf(cpts);
        }
    }

    /**
     * Reads the parameter; nothing means {@code tcp}, loopback is left out.
     *
     * @throws ErrnoException EINVAL if it can not be read; shows where
     */
    public static List<NetSpec> parse(String text) {
        return parse("networks", text.isBlank() ? "tcp" : text);
    }

    static List<NetSpec> parse(String parameter, String text) {
        NetSpecs in = new NetSpecs(parameter, text);
        if (text.length() > MAX_CHARACTERS) {
            throw in.wrong("at most " + MAX_CHARACTERS + " characters");
        }
        return in.nets();
    }

    /** Returns the NIs to ask for, one for each interface. */
    public static List<NiRequest> requests(List<NetSpec> nets) {
        return requests(nets, false);
    }

    /**
     * Returns the NIs to ask for.
     *
     * @param bonding whether the interfaces of a net of type o2ib are one NI (spec 21 cb-008)
     */
    public static List<NiRequest> requests(List<NetSpec> nets, boolean bonding) {
        List<NiRequest> requests = new ArrayList<>();
        for (NetSpec each : nets) {
            if (bonding && NiGroups.isBondable(each.net()) && !each.interfaces().isEmpty()) {
                requests.add(group(each));
                continue;
            }
            if (each.interfaces().isEmpty()) {
                requests.add(new NiRequest(each.net(), null, null, NetTunables.DEFAULT, Map.of(), each.cpts()));
            }
            each.interfaces()
                    .forEach(one -> requests.add(
                            NiRequest.ofInterface(each.net(), one.name()).withCpts(one.cpts())));
        }
        return requests;
    }

    private static NiRequest group(NetSpec net) {
        return NiRequest.ofInterface(net.net(), InterfaceNames.join(net.names()))
                .withLndTunables(Map.of(NiGroups.BONDING, 1))
                .withCpts(net.groupCpts());
    }

    private List<NetSpec> nets() {
        List<NetSpec> nets = new ArrayList<>();
        Set<String> seen = new LinkedHashSet<>();
        do {
            NetSpec net = net();
            for (InterfaceSpec each : net.interfaces()) {
                if (!seen.add(each.name() + " on " + net.net())) {
                    throw wrong("each interface of a net once, not " + each.name() + " again");
                }
            }
            if (!net.net().equals(Net.LO)) {
                nets.add(net);
            }
        } while (accept(','));
        if (at < text.length()) {
            throw wrong("',' or the end");
        }
        return nets;
    }

    private NetSpec net() {
        skipBlanks();
        int start = at;
        String name = word();
        Net net;
        try {
            net = Net.parse(name);
        } catch (NidFormatException e) {
            at = start;
            throw wrong("the name of a net, such as tcp or o2ib1");
        }
        List<InterfaceSpec> interfaces = new ArrayList<>();
        if (accept('(')) {
            do {
                interfaces.add(one());
            } while (accept(','));
            if (!accept(')')) {
                throw wrong("',' or ')'");
            }
        }
        List<Integer> cpts = cpts();
        return new NetSpec(
                net,
                interfaces.stream()
                        .map(each -> each.cpts().isEmpty() ? new InterfaceSpec(each.name(), cpts) : each)
                        .toList(),
                cpts);
    }

    private InterfaceSpec one() {
        skipBlanks();
        String name = word();
        if (name.isEmpty()) {
            throw wrong("the name of an interface");
        }
        return new InterfaceSpec(name, cpts());
    }

    private List<Integer> cpts() {
        skipBlanks();
        if (at >= text.length() || text.charAt(at) != '[') {
            return List.of();
        }
        int end = text.indexOf(']', at);
        if (end < 0) {
            throw wrong("']' behind it");
        }
        try {
            List<Integer> cpts = CptLists.parse(text.substring(at, end + 1));
            at = end + 1;
            return cpts;
        } catch (ErrnoException e) {
            throw wrong("CPU partitions such as [0,2-3]");
        }
    }

    private String word() {
        int start = at;
        while (at < text.length() && "()[],".indexOf(text.charAt(at)) < 0 && !Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return text.substring(start, at);
    }

    private boolean accept(char c) {
        skipBlanks();
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private void skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private ErrnoException wrong(String expected) {
        return wrong(parameter, text, at, expected);
    }

    /** Returns a failure that shows a text and marks the place. */
    static ErrnoException wrong(String parameter, String text, int at, String expected) {
        int from = Math.max(0, at - 40);
        String shown = text.substring(from, Math.min(text.length(), at + 40)).replaceAll("[\\s\\p{Cntrl}]", " ");
        return new ErrnoException(
                Errno.EINVAL,
                parameter + ", column " + (at + 1) + ": expected " + expected + "\n  " + shown + "\n  "
                        + " ".repeat(at - from) + "^");
    }
}
