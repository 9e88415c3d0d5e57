package org.railyard.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.base.yaml.Fields;
import org.railyard.base.yaml.Item;
import org.railyard.config.ni.CptList;
import org.railyard.config.parameter.Ip2Nets;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NidRange;

/** The section {@code ip2nets} (spec 12 §5.2). */
final class Ip2NetsSection {
    private static final String SPEC = "net-spec";
    private static final int MAX = Integer.MAX_VALUE;

    private final NetSection nets;
    private final List<Ip2NetSpec> rules = new ArrayList<>();

    Ip2NetsSection(NetSection nets) {
        this.nets = nets;
    }

    List<Ip2NetSpec> rules() {
        return rules;
    }

    void read(Item section) {
        section.items().forEach(this::rule);
    }

    private void rule(Item item) {
        Fields fields = Fields.of(item, SPEC, "interfaces", "ip-range", "tunables", "lnd tunables", "CPT", "seq_no");
        Item spec = fields.require(SPEC);
        if (spec == null) {
            return;
        }
        if (!fields.names().iterator().next().equals(SPEC)) {
            item.found("'" + fields.names().iterator().next() + "' as the first key of a rule", "'" + SPEC + "'");
        }
        Net net = NetSection.netOf(spec);
        if (net == null) {
            return;
        }
        Item cpts = fields.get("CPT");
        NiRequest like = new NiRequest(
                net,
                null,
                null,
                nets.tunables(net, fields.get("tunables")),
                NetSection.lndTunables(net, fields.get("lnd tunables")),
                cpts == null ? List.of() : CptList.read(cpts));
        List<String> interfaces = texts(fields.get("interfaces"));
        List<NidRange> ranges = new ArrayList<>();
        Item range = fields.get("ip-range");
        if (range != null) {
            range.entries().forEach((index, entry) -> range(entry, ranges));
        }
        if (interfaces.isEmpty() && range == null) {
            item.found("a rule without 'interfaces' and 'ip-range'", "at least one of them");
            return;
        }
        rules.add(new Ip2NetSpec(like, interfaces, ranges, item.place()));
    }

    private static void range(Item.Entry entry, List<NidRange> ranges) {
        entry.key().number(0, MAX);
        try {
            ranges.add(Ip2Nets.pattern(entry.value().text()));
        } catch (ErrnoException e) {
            entry.value().expected("addresses such as 10.20.*.[1-100/2] or 2001:db8::/32");
        }
    }

    private static List<String> texts(@Nullable Item item) {
        List<String> texts = new ArrayList<>();
        if (item != null) {
            item.entries().forEach((index, entry) -> {
                entry.key().number(0, MAX);
                texts.add(entry.value().text());
            });
        }
        return texts;
    }
}
