package org.railyard.config.parameter;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.config.ni.Device;
import org.railyard.config.parameter.NetSpecs.NetSpec;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.lnet.nid.NidRange;

/**
 * The parameter {@code ip2nets}: nets for nodes by their addresses, such as {@code tcp(eth1) 10.1.*.[1-50/2]; o2ib
 * 10.2.*.*} (spec 12 §7.2). Immutable.
 */
public final class Ip2Nets {
    private static final Pattern END_OF_RULE = Pattern.compile("[;\\n]");
    private static final Pattern COMMENT = Pattern.compile("#.*");

    /** Net specifications may hold blanks within parentheses, and patterns within brackets. */
    private static final Pattern TOKEN = Pattern.compile("(?:\\([^)]*+\\)|\\[[^\\]]*+\\]|[^\\s(\\[]++)+");

    private record Rule(List<NetSpec> nets, List<NidRange> patterns) {}

    private final List<Rule> rules;

    private Ip2Nets(List<Rule> rules) {
        this.rules = rules;
    }

    /**
     * Reads the parameter.
     *
     * @throws ErrnoException EINVAL if it can not be read; shows what
     */
    public static Ip2Nets parse(String text) {
        List<Rule> rules = new ArrayList<>();
        for (String line : END_OF_RULE.split(text)) {
            String rule = COMMENT.matcher(line).replaceFirst("").strip();
            if (!rule.isEmpty()) {
                rules.add(rule(rule));
            }
        }
        return new Ip2Nets(rules);
    }

    /** Tells each rule: its nets, and its patterns of addresses, on a net of their own. */
    void forEachRule(BiConsumer<List<NetSpec>, List<NidRange>> told) {
        rules.forEach(rule -> told.accept(rule.nets(), rule.patterns()));
    }

    private static Rule rule(String text) {
        if (text.length() > NetSpecs.MAX_CHARACTERS) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "ip2nets: a rule of " + text.length() + " characters; expected at most " + NetSpecs.MAX_CHARACTERS);
        }
        Matcher tokens = TOKEN.matcher(text);
        if (!tokens.replaceAll("").isBlank()) {
            throw new ErrnoException(Errno.EINVAL, "ip2nets: '" + text + "' has a bracket without the other one");
        }
        tokens.reset();
        List<String> words = new ArrayList<>();
        while (tokens.find()) {
            words.add(tokens.group());
        }
        if (words.size() < 2) {
            throw new ErrnoException(
                    Errno.EINVAL, "ip2nets: '" + text + "' has no addresses; expected one such as tcp(eth1) 10.1.*.*");
        }
        List<NetSpec> nets = NetSpecs.parse("ip2nets", words.getFirst());
        if (nets.stream().map(NetSpec::net).distinct().count() < nets.size()) {
            throw new ErrnoException(
                    Errno.EINVAL, "ip2nets: '" + text + "' has a net twice; expected each once in a rule");
        }
        return new Rule(nets, words.stream().skip(1).map(Ip2Nets::pattern).toList());
    }

    /**
     * Reads a pattern of addresses: four octets with ranges, or an IPv4 or IPv6 prefix.
     *
     * @throws ErrnoException EINVAL if it is none
     */
    public static NidRange pattern(String text) {
        try {
            return NidRange.parse(text.strip() + "@tcp");
        } catch (NidFormatException e) {
            throw new ErrnoException(
                    Errno.EINVAL, "ip2nets: '" + text + "' is no pattern of addresses such as 10.1.*.[1-50/2]", e);
        }
    }

    /** Tells whether a device has an address that fits a pattern. */
    public static boolean matches(Device device, List<NidRange> patterns) {
        for (InetAddress address : device.addresses()) {
            Nid nid = Nid.of(Net.TCP, address.getAddress());
            if (patterns.stream().anyMatch(pattern -> pattern.matches(nid))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the NIs for a machine.
     *
     * @param devices what it has
     * @param bonding whether the interfaces of a net of type o2ib are one NI (spec 21 cb-008)
     * @throws ErrnoException ENOENT if no rule is for it
     */
    public List<NiRequest> requests(List<Device> devices, boolean bonding) {
        Map<Net, Set<NiRequest>> byNet = new LinkedHashMap<>();
        for (Rule rule : rules) {
            List<Device> matching = devices.stream()
                    .filter(device -> device.up() && matches(device, rule.patterns()))
                    .toList();
            if (matching.isEmpty()) {
                continue;
            }
            for (NetSpec net : rule.nets()) {
                Set<NiRequest> requests = byNet.computeIfAbsent(net.net(), key -> new LinkedHashSet<>());
                if (net.interfaces().isEmpty()) {
                    requests.add(
                            NiRequest.ofInterface(net.net(), matching.getFirst().name())
                                    .withCpts(net.cpts()));
                } else {
                    requests.addAll(NetSpecs.requests(List.of(net), bonding));
                }
            }
        }
        if (byNet.isEmpty()) {
            throw new ErrnoException(Errno.ENOENT, "ip2nets: no rule is for an address of this node");
        }
        return byNet.values().stream().flatMap(Set::stream).toList();
    }
}
