package org.railyard.sm.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.VlCodes;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.sm.subnet.ManagedNode;

/**
 * Links that are up with other VLs, or another MTU, than both ends shall have. A port takes these only while its link
 * is in INIT, so they have to go down first (spec 41 §4). Each is taken down once: devices that go on with what they
 * had are left alone. For one thread.
 */
public final class LinkRestarts {
    /** None. */
    public static final LinkRestarts NONE = new LinkRestarts(List.of());

    private static final int MAX_NAMED = 8;
    private static final int SMALLEST_MTU = 128;

    private final List<Link> links;

    /**
     * A cable.
     *
     * @param node at the nearer end, by which a Set does not pass the cable itself
     * @param text what is wrong
     */
    private record Link(ManagedNode node, int port, ManagedNode farNode, int farPort, String text) {
        int hops() {
            DirectedPath path = node.path(port);
            return path == null ? 0 : path.hops();
        }

        void restarted() {
            suppose();
            // It is known why the link is not as it was: the nodes have not been switched off.
            node.raise(port);
            farNode.raise(farPort);
            node.restarted(port);
            farNode.restarted(farPort);
        }

        void suppose() {
            suppose(node, port);
            suppose(farNode, farPort);
        }

        private static void suppose(ManagedNode node, int port) {
            PortInfo said = node.port(port);
            if (said != null) {
                said.set(PortInfo.STATE, PortState.INIT.code());
            }
            SwitchInfo ofNode = node.switchInfo();
            if (ofNode != null) {
                ofNode.set(SwitchInfo.STATE_CHANGE, 1);
            }
        }

        boolean isUp(Fabric fabric) {
            return isUp(fabric, node, port) && isUp(fabric, farNode, farPort);
        }

        private static boolean isUp(Fabric fabric, ManagedNode node, int port) {
            return fabric.nodeOfGuid(node.guid()) != Fabric.NONE
                    && node.state(port).compareTo(PortState.INIT) >= 0;
        }
    }

    private LinkRestarts(List<Link> links) {
        this.links = links;
    }

    /** Finds them among the cables of a fabric. */
    public static LinkRestarts of(Fabric fabric, List<ManagedNode> nodes, PortPolicy ports) {
        List<Link> links = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            int peer = fabric.peer(port);
            if (peer > port) {
                ManagedNode node = nodes.get(fabric.nodeOf(port));
                ManagedNode far = nodes.get(fabric.nodeOf(peer));
                LinkParameters wanted = LinkParameters.of(fabric, port, node, far, ports);
                add(links, node, fabric.portNumber(port), far, fabric.portNumber(peer), wanted);
            }
        }
        return new LinkRestarts(links);
    }

    private static void add(
            List<Link> links, ManagedNode node, int port, ManagedNode far, int farPort, LinkParameters wanted) {
        // What is known of a silent host is old, and its link is all that is left of it.
        boolean isAsked = !node.isSilent(port) && !far.isSilent(farPort);
        boolean isWrong = isAsked && (isWrong(node, port, wanted) || isWrong(far, farPort, wanted));
        PortInfo near = node.port(port);
        PortInfo other = far.port(farPort);
        if (!isWrong || near == null || other == null) {
            return;
        }
        String text = "%s to %s (VLs %s, MTU %s)"
                .formatted(
                        node.portName(port),
                        far.portName(farPort),
                        change(near, other, PortInfo.OPERATIONAL_VLS, wanted.vls()),
                        change(near, other, PortInfo.NEIGHBOR_MTU, wanted.mtu()));
        DirectedPath here = node.path(port);
        DirectedPath there = far.path(farPort);
        boolean isFarNearer = here == null || there != null && there.hops() < here.hops();
        links.add(isFarNearer ? new Link(far, farPort, node, port, text) : new Link(node, port, far, farPort, text));
    }

    private static boolean isWrong(ManagedNode node, int port, LinkParameters wanted) {
        PortInfo said = node.port(port);
        return said != null
                && said.state().compareTo(PortState.INIT) > 0
                && !node.wasRestarted(port)
                && (isOther(node, port, said, PortInfo.OPERATIONAL_VLS, wanted.vls())
                        || isOther(node, port, said, PortInfo.NEIGHBOR_MTU, wanted.mtu()));
    }

    /** Neither code is ever 0: a port that says so does not tell. */
    private static boolean isOther(ManagedNode node, int port, PortInfo said, BitField field, int wanted) {
        int now = said.getInt(field);
        return now != 0 && wanted != 0 && now != wanted && !node.held().isIgnored(port, field);
    }

    private static String change(PortInfo near, PortInfo far, BitField field, int wanted) {
        String one = amount(field, near.getInt(field));
        String other = amount(field, far.getInt(field));
        String now = one.equals(other) ? one : one + " and " + other;
        String then = amount(field, wanted);
        return now.equals(then) ? now : now + " instead of " + then;
    }

    private static String amount(BitField field, int code) {
        int amount = field == PortInfo.NEIGHBOR_MTU
                ? SMALLEST_MTU << code
                : VlCodes.count(Math.clamp(code, 1, VlCodes.MAX_CODE));
        return Integer.toString(amount);
    }

    /** Returns whether there are none. */
    public boolean isEmpty() {
        return links.isEmpty();
    }

    /** Notes all of them as if they were down and in INIT again. */
    public void suppose() {
        links.forEach(Link::suppose);
    }

    /** Names those that are not {@linkplain #areUp up}, some of many. */
    public String missing(Fabric fabric) {
        return names(links.stream().filter(link -> !link.isUp(fabric)).toList());
    }

    private static String names(List<Link> of) {
        String some = of.stream().limit(MAX_NAMED).map(Link::text).collect(Collectors.joining(", "));
        return of.size() > MAX_NAMED ? some + " and others" : some;
    }

    /** Returns how many there are, and names some. */
    public String text() {
        return "%d links are up with other VLs or another MTU than both ends shall have: %s"
                .formatted(links.size(), names(links));
    }

    /** Returns what takes them down, the farthest first: no Set may need a link that is down already. */
    public List<Phase> phases() {
        Map<Integer, List<Link>> byHops = new TreeMap<>();
        for (Link link : links) {
            byHops.computeIfAbsent(-link.hops(), _ -> new ArrayList<>()).add(link);
        }
        return byHops.values().stream()
                .map(far -> Phase.of(
                        "PortInfo: down",
                        "links that have to come up again with other VLs or another MTU",
                        () -> far.stream().map(LinkRestarts::down).iterator()))
                .toList();
    }

    private static Update down(Link link) {
        PortInfo said = link.node.port(link.port);
        PortInfo wanted =
                (said == null ? PortInfo.TYPE.create() : said.toSet()).set(PortInfo.STATE, PortState.DOWN.code());
        return Update.of(link.node, link.port, PortInfo.TYPE, Modifiers.port(link.port), wanted, _ -> link.restarted());
    }

    /** Returns whether both ends of all of them are part of a fabric, and linked. */
    public boolean areUp(Fabric fabric) {
        return links.stream().allMatch(link -> link.isUp(fabric));
    }
}
