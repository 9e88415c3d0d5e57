package org.railyard.ibverbs;

import java.util.List;
import java.util.Map;
import org.railyard.base.host.Host;
import org.railyard.conformance.bond.ScarceCards;
import org.railyard.ibverbs.standin.StandIn;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.O2ibLnd;
import org.railyard.o2iblnd.tune.Tunables;

/** Machines with two cards, of which the first card of the first machine can run out of something. */
final class StandInScarce extends StandInPairs implements ScarceCards {
    private static final Net FIRST = Net.parse("o2ib");
    private static final Net SECOND = Net.parse("o2ib1");

    private final StandIn.Scarce what;
    private final int errno;
    private final String explanation;

    /**
     * Makes machines.
     *
     * @param what the card runs out of
     * @param errno that it says then
     * @param explanation part of the warning that tells of it
     */
    StandInScarce(StandIn.Scarce what, int errno, String explanation) {
        super(O2ibLnd.class);
        this.what = what;
        this.errno = errno;
        this.explanation = explanation;
    }

    @Override
    O2ibLnd make(LndUpcalls stack, Host host, IbvProvider cards) {
        return new O2ibLnd(stack, host, cards, Tunables.DEFAULT);
    }

    @Override
    public List<NiRequest> requests(int node) {
        NiRequest first = NiRequest.ofInterface(FIRST, "ib0");
        NiRequest second = NiRequest.ofInterface(SECOND, "ib1");
        return node == 0 ? List.of(first, second) : List.of(node == MACHINES - 1 ? second : first);
    }

    @Override
    public Nid nid(int node) {
        return node == MACHINES - 1 ? Nid.of(SECOND, ip(node, 1)) : Nid.of(FIRST, ip(node, 0));
    }

    @Override
    public Nid second() {
        return Nid.of(SECOND, ip(0, 1));
    }

    @Override
    public boolean isOfCard() {
        return true;
    }

    @Override
    public boolean limitsCalls() {
        return what != StandIn.Scarce.ACCEPTANCES;
    }

    @Override
    public void useUp() {
        machines().getFirst().useUp(0, what, errno);
    }

    @Override
    public void free() {
        machines().getFirst().free();
    }

    @Override
    public Map<String, Long> refusals(int node) {
        return lnd(node).rejectsSent();
    }

    @Override
    public boolean isExplained() {
        return isLogged("no connection: " + explanation);
    }
}
