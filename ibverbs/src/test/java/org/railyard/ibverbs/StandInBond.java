package org.railyard.ibverbs;

import java.util.List;
import java.util.function.ObjIntConsumer;
import org.railyard.base.host.Host;
import org.railyard.conformance.bond.BondedCards;
import org.railyard.ibverbs.standin.StandIn;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.O2ibLnd;
import org.railyard.o2iblnd.bond.Target;
import org.railyard.o2iblnd.bond.Targets;
import org.railyard.o2iblnd.tune.Tunables;

/** Machines with two cards, of which the first two machines bond theirs. */
final class StandInBond extends StandInPairs implements BondedCards {
    private static final Net O2IB = Net.parse("o2ib");
    private static final int BONDED = 2;

    private final ObjIntConsumer<StandIn> takeOut;
    private final String explanation;

    /**
     * Makes machines().
     *
     * @param takeOut how a card of a machine is taken out
     * @param explanation part of the warning that tells of it
     */
    StandInBond(ObjIntConsumer<StandIn> takeOut, String explanation) {
        super(IbvDevice.class);
        this.takeOut = takeOut;
        this.explanation = explanation;
    }

    private static boolean isBonded(int node) {
        return node < BONDED;
    }

    @Override
    O2ibLnd make(LndUpcalls stack, Host host, IbvProvider cards) {
        Targets targets = new Targets();
        for (int other = 0; other < BONDED; other++) {
            targets.put(new Target(nid(other), List.of(ip(other, 0), ip(other, 1))));
        }
        return new O2ibLnd(stack, host, cards, Tunables.DEFAULT, targets, _ -> 24);
    }

    @Override
    public List<NiRequest> requests(int node) {
        return List.of(NiRequest.ofInterface(O2IB, isBonded(node) ? "ib0,ib1" : "ib1"));
    }

    @Override
    public Nid nid(int node) {
        return Nid.of(O2IB, ip(node, isBonded(node) ? 0 : 1));
    }

    @Override
    public boolean isUsable(int node, int card) {
        return lnd(node).groups().getFirst().members().stream()
                .anyMatch(each -> each.ip() == ip(node, card) && each.state().isUsable());
    }

    @Override
    public long sent(int node, int card) {
        return lnd(node).routes().stream()
                .flatMap(set -> set.routes().stream())
                .filter(route -> route.localIp() == ip(node, card))
                .mapToLong(route -> route.messages())
                .sum();
    }

    @Override
    public void link(int card, boolean up) {
        machines().forEach(machine -> machine.port(card, up));
    }

    @Override
    public void takeOut(int card) {
        machines().forEach(machine -> takeOut.accept(machine, card));
    }

    @Override
    public boolean isExplained() {
        return isLogged("mlx5_1 " + explanation);
    }

    @Override
    public boolean isGivenBack(int card) {
        return machines().stream().allMatch(machine -> machine.leftovers(card).isEmpty());
    }
}
