package org.railyard.lnet.api;

import java.util.List;
import org.railyard.base.Errno;
import org.railyard.lnet.nid.Nid;

/**
 * Why a message would go the way it would: what there was to choose from at each step, in order, and what decided (spec
 * 10 §8). Immutable.
 *
 * @param target the NID that the message is for
 * @param source the local NID that it has to be sent from, {@link Nid#ANY} if that is open
 * @param bytes its payload, bytes
 * @param pathCase which rules apply
 * @param status 0 if there is a way, else the negative errno that the sender would be told
 * @param from the local NID that was chosen, {@link Nid#ANY} if there is no way
 * @param to the NID that was chosen, {@link Nid#ANY} if there is no way
 * @param steps the choices, in the order in which they were made
 */
public record Explanation(
        Nid target, Nid source, int bytes, Case pathCase, int status, Nid from, Nid to, List<Step> steps) {
    /** Copies the list. */
    public Explanation {
        steps = List.copyOf(steps);
    }

    /**
     * Which rules apply (spec 10 §8.2): source named or any, destination on a local net or not, peer multi-rail or not.
     */
    public enum Case {
        /** Source named, destination on its net, multi-rail. */
        A1C("from the NID that was named, to a net of this node, to any NID of the multi-rail peer"),
        /** Source named, destination on its net, exactly that NID. */
        A1D("from the NID that was named, to a net of this node, to that very NID"),
        /** Source named, destination behind a router, multi-rail. */
        A2C("from the NID that was named, through a router, to any NID of the multi-rail peer"),
        /** Source named, destination behind a router, exactly that NID. */
        A2D("from the NID that was named, through a router, to that very NID"),
        /** Any source, destination on a local net, multi-rail. */
        B1C("from any NID of this node, to a net of this node, to any NID of the multi-rail peer"),
        /** Any source, destination on a local net, exactly that NID. */
        B1D("from any NID of this node, to a net of this node, to that very NID"),
        /** Any source, destination behind a router, multi-rail. */
        B2C("from any NID of this node, through a router, to any NID of the multi-rail peer"),
        /** Any source, destination behind a router, exactly that NID. */
        B2D("from any NID of this node, through a router, to that very NID"),
        /** This node itself. */
        LOOPBACK("the target is this node itself");

        private final String text;

        Case(String text) {
            this.text = text;
        }

        /** Returns it in words. */
        public String text() {
            return text;
        }
    }

    /** What is chosen in a step. */
    public enum Stage {
        /** One of the bonds of this node. */
        BOND("bond"),
        /** One of the nets that the peer and this node are both on. */
        NET("net"),
        /** One of the routes to a net that this node is not on. */
        ROUTE("route"),
        /** The NI to send from. */
        LOCAL_NI("local NI"),
        /** The NID to send to. */
        PEER_NI("peer NI");

        private final String text;

        Stage(String text) {
            this.text = text;
        }

        /** Returns it in words. */
        public String text() {
            return text;
        }
    }

    /** What decides between two candidates (spec 10 §8.4–§8.6). */
    public enum Criterion {
        /** The one whose address is of the destination's family. */
        FAMILY("address family"),
        /** The one that a selection rule prefers towards the peer, or less behind others. */
        PREFERENCE("selection rule for the pair"),
        /** The route whose gateway was not lost by its transport. */
        SUSPICION("loss of the connection"),
        /** The route whose gateway a selection rule prefers for the destination. */
        ROUTER("selection rule for the router"),
        /** The route with fewer hops. */
        HOPS("hops"),
        /** The one whose device works. */
        FATAL("fatal error"),
        /** The one with the better priority by a selection rule. */
        PRIORITY("priority"),
        /** The healthier one. */
        HEALTH("health"),
        /** The one whose net has the better priority here. */
        LOCAL_PRIORITY("priority of the local net"),
        /** The one whose net is healthier here. */
        LOCAL_HEALTH("health of the local net"),
        /** The one that is earlier in the list of its bond, which is ordered. */
        PLACE("place in the bond"),
        /** The one nearer to the memory. */
        DISTANCE("NUMA distance"),
        /** The one with fewer bytes queued. */
        QUEUED_BYTES("queued bytes"),
        /** The one with more credits. */
        CREDITS("credits"),
        /** The bond with more NIs that are as good as its best. */
        NUMBER("number of equal NIs"),
        /** The one that was not used for longer. */
        TURN("turn: it was used more recently"),
        /** The one whose net was not used for longer here. */
        LOCAL_TURN("turn of the local net: that was used more recently"),
        /** The one that is earlier in its list: they are equal. */
        ORDER("order: all else is equal");

        private final String text;

        Criterion(String text) {
            this.text = text;
        }

        /** Returns it in words. */
        public String text() {
            return text;
        }
    }

    /** Why something is not a candidate, in the order in which it is looked at. */
    public enum Reason {
        /** There is no such local NID. */
        NOT_OURS("not a NID of this node"),
        /** The peer is there, this node is not; a route may lead there. */
        NO_COMMON_NET("no local NI on that net"),
        /** The peer is there, this node is not, and no route leads there. */
        NO_ROUTE("no local NI on that net, and no route leads there"),
        /** It is another net than the one that the message has to stay on. */
        OTHER_NET("not the net of the request"),
        /** It is starting, or being deleted. */
        NOT_ACTIVE("not active"),
        /** Its device can not carry traffic. */
        FATAL("down: fatal error of the device"),
        /** Its address family can not be sent to from, or be sent to. */
        FAMILY("address family does not fit"),
        /** The peer that is not multi-rail knows this node by another NID. */
        NOT_PREFERRED("the peer knows this node by another NID"),
        /** Its health is 0, and there is no other way to a peer that is not multi-rail. */
        UNHEALTHY("health 0, and no other way"),
        /** It is in another bond than the one that the message has to stay in. */
        OTHER_BOND("in another bond"),
        /** No NI of the bond can be sent from towards the peer. */
        NO_NI_OF_BOND("no NI of it reaches the peer"),
        /** The gateway of the route does not answer. */
        GATEWAY_DOWN("gateway down"),
        /** Discovery is off, and a transport lost the gateway of the route. */
        ROUTE_DOWN("transport lost the gateway"),
        /** The gateway of the route has no NID that is up on the net of ours through which it was named. */
        GATEWAY_NEAR_DOWN("gateway has no NID up on this side"),
        /** The gateway of the route is to be on the remote net itself, and has no NID that is up there. */
        GATEWAY_FAR_DOWN("gateway has no NID up on the far net"),
        /** The gateway of the route does not forward. */
        ROUTING_OFF("gateway has routing off"),
        /** The gateway of the route is on no net that the message can leave by. */
        NOT_ADJACENT("gateway is on no net that can be sent from"),
        /** The message came from there. */
        CAME_FROM("the message came from there"),
        /** The message was sent over it before, without success. */
        USED("used before");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        /** Returns it in words. */
        public String text() {
            return text;
        }
    }

    /**
     * One choice.
     *
     * @param stage what was chosen
     * @param candidates from the best, which was chosen, to the worst
     * @param excluded what was no candidate
     * @param note anything else, empty for nothing
     */
    public record Step(Stage stage, List<Candidate> candidates, List<Excluded> excluded, String note) {
        /** Copies the lists. */
        public Step {
            candidates = List.copyOf(candidates);
            excluded = List.copyOf(excluded);
        }
    }

    /**
     * A candidate.
     *
     * @param name its NID, or the name of the net
     * @param figures what the criteria saw, in words
     * @param behind what put it behind the candidate before it; of no meaning for the first
     */
    public record Candidate(String name, String figures, Criterion behind) {}

    /**
     * What was no candidate.
     *
     * @param name its NID, or the name of the net
     * @param reason why not
     * @param detail since when, or which of how many; empty for nothing
     */
    public record Excluded(String name, Reason reason, String detail) {
        /** Makes one without a detail. */
        public Excluded(String name, Reason reason) {
            this(name, reason, "");
        }
    }

    /** Tells whether there is a way. */
    public boolean isPossible() {
        return status == 0;
    }

    /** Returns it for people, several lines. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(bytes).append(" bytes to ").append(target).append(" from ");
        text.append(source.isAny() ? "any NID" : source.toString()).append(": ");
        text.append(isPossible() ? from + " > " + to : Errno.describe(status));
        text.append("\ncase ").append(pathCase).append(": ").append(pathCase.text());
        for (Step step : steps) {
            text.append('\n').append(step.stage().text());
            text.append(step.note().isEmpty() ? "" : ", " + step.note()).append(':');
            int place = 1;
            for (Candidate each : step.candidates()) {
                text.append("\n  ").append(place).append(". ").append(each.name());
                text.append("  ").append(each.figures());
                text.append(place == 1 ? "" : "; behind by " + each.behind().text());
                place++;
            }
            for (Excluded each : step.excluded()) {
                text.append("\n  -  ").append(each.name()).append("  ");
                text.append(each.reason().text());
                text.append(each.detail().isEmpty() ? "" : ", " + each.detail());
            }
        }
        return text.toString();
    }
}
