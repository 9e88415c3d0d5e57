package org.railyard.config.parameter;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.config.ni.NiGroups;
import org.railyard.config.parameter.NetSpecs.InterfaceSpec;
import org.railyard.config.parameter.NetSpecs.NetSpec;
import org.railyard.lnet.lnd.InterfaceNames;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NidRange;

/**
 * Turns the rules of the parameter {@code ip2nets} into those of the section of that name, which are not read quite the
 * same (spec 12 §5.2, §7.2).
 */
final class AddressRuleConversion {
    private static final String ADDRESS_NET = "@tcp";

    private final boolean bonding;
    private final Consumer<String> warnings;
    private final List<Object> rules = new ArrayList<>();
    private final Set<Net> seen = new LinkedHashSet<>();
    private final Set<String> warned = new LinkedHashSet<>();

    private AddressRuleConversion(boolean bonding, Consumer<String> warnings) {
        this.bonding = bonding;
        this.warnings = warnings;
    }

    /**
     * Returns the section.
     *
     * @param bonding whether the interfaces of a net of type o2ib are one NI
     * @param warnings is told of what it says otherwise on some nodes
     * @throws ErrnoException EINVAL if it has no words for a rule
     */
    static List<Object> rules(Ip2Nets from, boolean bonding, Consumer<String> warnings) {
        AddressRuleConversion to = new AddressRuleConversion(bonding, warnings);
        from.forEachRule((nets, patterns) -> nets.forEach(net -> to.add(net, patterns)));
        return to.rules;
    }

    private void add(NetSpec net, List<NidRange> patterns) {
        Doc rule = new Doc().put("net-spec", net.net().toString());
        List<String> names = net.names();
        boolean group = bonding && NiGroups.isBondable(net.net());
        if (!names.isEmpty()) {
            rule.put("interfaces", Conversion.numbered(names));
        }
        rule.put(
                "ip-range",
                Conversion.numbered(patterns.stream()
                        .map(pattern -> pattern.toString().replace(ADDRESS_NET, ""))
                        .toList()));
        if (group) {
            rule.put("lnd tunables", new Doc().put(NiGroups.BONDING, 1));
        }
        Conversion.putCpts(rule, group && !names.isEmpty() ? net.groupCpts() : cpts(net));
        rules.add(rule.map());
        if (!seen.add(net.net())) {
            warn(
                    net.net() + " is in several rules",
                    "where more than one of them fits, the parameter takes the interfaces of all, YAML only those of"
                            + " the first");
        }
        if (names.isEmpty()) {
            warn(
                    net.net() + " without an interface",
                    "the parameter takes the first interface that has such an address, YAML all that have one; if a"
                            + " node has several, name one as 'interfaces:'");
        } else {
            warn(
                    named(net),
                    "the parameter takes these interfaces if any address of the node fits, YAML those of them whose"
                        + " own address does; list the addresses of the interfaces as 'ip-range:', or use the section"
                        + " 'net:'");
        }
    }

    private static String named(NetSpec net) {
        return net.net() + "(" + InterfaceNames.join(net.names()) + ")";
    }

    private void warn(String what, String difference) {
        if (warned.add(what)) {
            warnings.accept("ip2nets: " + what + ": " + difference);
        }
    }

    private static List<Integer> cpts(NetSpec net) {
        if (net.interfaces().isEmpty()) {
            return net.cpts();
        }
        List<List<Integer>> lists =
                net.interfaces().stream().map(InterfaceSpec::cpts).distinct().toList();
        if (lists.size() > 1) {
            String given = named(net);
            throw new ErrnoException(
                    Errno.EINVAL,
                    "ip2nets: the interfaces of " + given + " have different CPU partitions, and a"
                            + " rule in YAML has one list for all; give them one, such as " + given
                            + "[0], or convert --networks for each kind of node");
        }
        return lists.getFirst();
    }
}
