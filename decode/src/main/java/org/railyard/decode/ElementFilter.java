package org.railyard.decode;

import java.util.LinkedHashSet;
import java.util.Set;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/**
 * Which elements are shown. Conditions of different kinds must all hold, of those of one kind one. What says that
 * something could not be decoded or is missing is always shown: it may be what is looked for. Not thread-safe: it
 * remembers which requests it has shown, to know their answers.
 */
final class ElementFilter {
    /** Most requests whose answers are still recognised. */
    static final int MAX_REQUESTS = 65_536;

    /** Kinds of elements that can be asked for. */
    enum Kind {
        PUT,
        GET,
        ACK,
        REPLY,
        /** Of the transport, or of LNet. */
        HELLO,
        /** A connection request or the refusal of an acceptor. */
        REQUEST,
        NOOP,
        TCP
    }

    /** Shows everything. */
    static ElementFilter all() {
        return new ElementFilter(Set.of(), Set.of(), Set.of());
    }

    /** The descriptor that a PUT or GET names, which its ACK or REPLY names again, and whose it is. */
    private record Handle(Nid owner, long interfaceCookie, long objectCookie) {}

    private final Set<Nid> nids;
    private final Set<Kind> kinds;
    private final Set<Long> portals;
    private final Set<Handle> requests = new LinkedHashSet<>();
    private long hidden;

    /**
     * Makes a filter; an empty set is no condition.
     *
     * @param nids source or destination
     * @param kinds kinds of elements
     * @param portals portals of PUT and GET; their ACK and REPLY are shown as well
     */
    ElementFilter(Set<Nid> nids, Set<Kind> kinds, Set<Long> portals) {
        this.nids = Set.copyOf(nids);
        this.kinds = Set.copyOf(kinds);
        this.portals = Set.copyOf(portals);
    }

    /** Returns how many elements were not shown. */
    long hidden() {
        return hidden;
    }

    /** Tells whether an element is shown; to be asked for each element once, in order. */
    boolean shows(Element element) {
        boolean shown = switch (element.body()) {
            case Element.Undecodable _, Element.Gap _, Element.Resumed _ -> true;
            case Element.Message message -> message(message.header());
            case Element.Greeting(var hello) ->
                portals.isEmpty()
                        && isKind(Kind.HELLO)
                        && (nids.isEmpty() || nids.contains(hello.srcNid()) || nids.contains(hello.dstNid()));
            case Element.Request(var request) ->
                portals.isEmpty()
                        && isKind(Kind.REQUEST)
                        && (nids.isEmpty() || (!request.isRefusal() && nids.contains(request.nid())));
            case Element.Noop _ -> portals.isEmpty() && nids.isEmpty() && isKind(Kind.NOOP);
            case Element.Tcp _ -> portals.isEmpty() && nids.isEmpty() && isKind(Kind.TCP);
        };
        hidden += shown ? 0 : 1;
        return shown;
    }

    private boolean isKind(Kind kind) {
        return kinds.isEmpty() || kinds.contains(kind);
    }

    private boolean message(LNetHeader header) {
        if (!nids.isEmpty() && !nids.contains(header.srcNid()) && !nids.contains(header.destNid())) {
            return false;
        }
        MessageType type = header.type();
        boolean portal = portals.isEmpty() || isOfPortal(header, type);
        return portal && isKind(Kind.valueOf(type.name()));
    }

    private boolean isOfPortal(LNetHeader header, MessageType type) {
        return switch (type) {
            case PUT, GET -> {
                boolean wanted = portals.contains(Integer.toUnsignedLong(header.portal()));
                if (wanted) {
                    remember(handle(header, header.srcNid()));
                }
                yield wanted;
            }
            case ACK, REPLY -> requests.contains(handle(header, header.destNid()));
            case HELLO -> false;
        };
    }

    private static Handle handle(LNetHeader header, Nid owner) {
        return new Handle(owner, header.interfaceCookie(), header.objectCookie());
    }

    private void remember(Handle handle) {
        if (requests.size() >= MAX_REQUESTS) {
            requests.remove(requests.iterator().next());
        }
        requests.add(handle);
    }
}
