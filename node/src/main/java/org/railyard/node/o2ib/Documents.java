package org.railyard.node.o2ib;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.railyard.base.text.Doc;
import org.railyard.o2iblnd.bond.BondFinding;
import org.railyard.o2iblnd.bond.InterfaceGroupView;
import org.railyard.o2iblnd.bond.Ipv4;
import org.railyard.o2iblnd.bond.MemberState;
import org.railyard.o2iblnd.bond.MemberView;
import org.railyard.o2iblnd.bond.RouteSetView;
import org.railyard.o2iblnd.bond.RouteView;

/** What there is to be seen of channel bonding, as documents (spec 21 §8, §9). */
final class Documents {
    /** Rates are told in units of 0.1 Mb/s. */
    private static final double UNITS_PER_GIGABIT = 10_000.0;

    private Documents() {}

    static Map<String, Object> finding(BondFinding finding) {
        return new Doc()
                .put("id", finding.id())
                .put("severity", finding.severity().text())
                .put("subject", finding.subject())
                .put("text", finding.text())
                .map();
    }

    static Map<String, Object> status(InterfaceGroupView group, Map<String, Object> memory) {
        List<Object> members = new ArrayList<>();
        group.members().forEach(member -> members.add(member(member)));
        boolean works =
                group.members().stream().anyMatch(member -> member.state().isUsable());
        MemberView atNid = group.atNid();
        boolean reached = atNid != null && atNid.state().isUsable();
        boolean whole = group.members().stream().allMatch(member -> member.state() == MemberState.PORT_ACTIVE);
        Doc doc = new Doc()
                .put("nid", group.nid().toString())
                .put("bonding", group.bonded())
                .put("state", !works ? "down" : whole ? "up" : "degraded");
        if (group.bonded() && works && !reached) {
            doc.put("reached", "by targets only, as no interface that works has the address of the NID");
        }
        doc.put("members", members);
        return (memory.isEmpty() ? doc : doc.put("memory_of_cards", memory)).map();
    }

    private static Map<String, Object> member(MemberView member) {
        return new Doc()
                .put("interface", member.interfaceName())
                .put("ip", Ipv4.text(member.ip()))
                .put("device", member.device())
                .put("port", member.portNumber())
                .put("state", member.state().text())
                .put("width", member.port().lanes() + "X")
                .put(
                        "speed",
                        gigabits(
                                member.port().lanes() == 0
                                        ? 0
                                        : member.port().linkRate()
                                                / member.port().lanes()))
                .put("rate", gigabits(member.port().linkRate()))
                .put("expected", gigabits(member.expectedRate()))
                .put("link_speed", member.linkSpeed())
                .put("registration", member.registration())
                .map();
    }

    private static String gigabits(long units) {
        return units / UNITS_PER_GIGABIT + " Gb/s";
    }

    static Map<String, Object> routes(RouteSetView set) {
        List<Object> routes = new ArrayList<>();
        set.routes().forEach(route -> routes.add(route(route)));
        return new Doc()
                .put("peer nid", set.peer().toString())
                .put("nid", set.ni().toString())
                .put("addresses", set.origin().text())
                .put("routes", routes)
                .map();
    }

    static Map<String, Object> learned(RouteSetView set) {
        List<Object> ips = new ArrayList<>();
        set.learned().forEach(ip -> ips.add(new Doc().put("ip", Ipv4.text(ip)).map()));
        return new Doc()
                .put("nid", set.peer().toString())
                .put("by", set.ni().toString())
                .put("used", set.origin() == RouteSetView.Origin.LEARNED)
                .put("ips", ips)
                .map();
    }

    private static Map<String, Object> route(RouteView route) {
        return new Doc()
                .put("dev", route.interfaceName())
                .put("local ip", Ipv4.text(route.localIp()))
                .put("remote ip", Ipv4.text(route.remoteIp()))
                .put("state", route.state().text())
                .put("takes turns", !route.extra())
                .put("connections", route.connections())
                .put("protocol", route.protocol())
                .put("messages", route.messages())
                .put("last error", route.lastError() == null ? "" : route.lastError())
                .map();
    }
}
