package org.railyard.ibverbs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.ObjIntConsumer;
import org.railyard.base.host.Host;
import org.railyard.conformance.Polling;
import org.railyard.conformance.bond.BondedCards;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.standin.StandIn;
import org.railyard.ibverbs.standin.StandInNetwork;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.O2ibLnd;
import org.railyard.o2iblnd.bond.Target;
import org.railyard.o2iblnd.bond.Targets;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.testkit.LogTap;

/** Four machines with two cards each, which stand in for real ones. Card c of machine m is 10.79.c.(1+m). */
final class StandInBond implements BondedCards {
    private static final Net O2IB = Net.parse("o2ib");
    private static final int MACHINES = 4;
    private static final int BONDED = 2;
    private static final long LIMIT_NANOS = 30_000_000_000L;
    private static final long LOOK_NANOS = 200_000;

    private final LogTap log = new LogTap(IbvDevice.class.getName());
    private final StandInNetwork network = new StandInNetwork();
    private final List<StandIn> machines = new ArrayList<>();
    private final List<IbvProvider> providers = new ArrayList<>();
    private final Map<Integer, O2ibLnd> lnds = new HashMap<>();
    private final ObjIntConsumer<StandIn> takeOut;
    private final String explanation;

    /**
     * Makes machines.
     *
     * @param takeOut how a card of a machine is taken out
     * @param explanation part of the warning that tells of it
     */
    StandInBond(ObjIntConsumer<StandIn> takeOut, String explanation) {
        this.takeOut = takeOut;
        this.explanation = explanation;
        for (int machine = 0; machine < MACHINES; machine++) {
            StandIn made = network.add("mlx5_0", ip(machine, 0));
            made.addCard("mlx5_1", ip(machine, 1));
            machines.add(made);
        }
    }

    private static int ip(int machine, int card) {
        return StandInWorld.FIRST_IP + (card << Byte.SIZE) + machine;
    }

    private static boolean isBonded(int node) {
        return node < BONDED;
    }

    @Override
    public LndProvider transport(int node) {
        return new LndProvider() {
            @Override
            public NetType type() {
                return NetType.O2IB;
            }

            @Override
            public Lnd create(LndUpcalls stack, Host host) {
                List<InterfaceProbe.Address> addresses = List.of(
                        new InterfaceProbe.Address("ib0", ip(node, 0)), new InterfaceProbe.Address("ib1", ip(node, 1)));
                IbvProvider cards = new IbvProvider(
                        host,
                        new NativeCards(new NativeVerbs(machines.get(node).functions())),
                        List.of(),
                        MemoryMode.COPY,
                        () -> addresses);
                providers.add(cards);
                Targets targets = new Targets();
                for (int other = 0; other < BONDED; other++) {
                    targets.put(new Target(nid(other), List.of(ip(other, 0), ip(other, 1))));
                }
                O2ibLnd made = new O2ibLnd(stack, host, cards, Tunables.DEFAULT, targets, _ -> 24);
                lnds.put(node, made);
                return made;
            }
        };
    }

    @Override
    public List<NiRequest> requests(int node) {
        return List.of(NiRequest.ofInterface(O2IB, isBonded(node) ? "ib0,ib1" : "ib1"));
    }

    @Override
    public Nid nid(int node) {
        return Nid.of(O2IB, ip(node, isBonded(node) ? 0 : 1));
    }

    private O2ibLnd lnd(int node) {
        O2ibLnd lnd = lnds.get(node);
        if (lnd == null) {
            throw new IllegalStateException("node " + node + " was not started");
        }
        return lnd;
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
        machines.forEach(machine -> machine.port(card, up));
    }

    @Override
    public void takeOut(int card) {
        machines.forEach(machine -> takeOut.accept(machine, card));
    }

    @Override
    public boolean isExplained() {
        return log.lines().stream().anyMatch(line -> line.contains("mlx5_1 " + explanation));
    }

    @Override
    public boolean isGivenBack(int card) {
        return machines.stream().allMatch(machine -> machine.leftovers(card).isEmpty());
    }

    @Override
    public boolean await(BooleanSupplier condition) {
        return Polling.until(condition, LIMIT_NANOS, LOOK_NANOS);
    }

    @Override
    public void close() {
        providers.forEach(IbvProvider::close);
        log.close();
        List<String> left =
                machines.stream().flatMap(each -> each.leftovers().stream()).toList();
        network.close();
        if (!left.isEmpty()) {
            throw new AssertionError("not given back: " + left);
        }
    }
}
