package org.railyard.ibverbs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.railyard.base.host.Host;
import org.railyard.conformance.Polling;
import org.railyard.conformance.bond.ScarceCards;
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
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.testkit.LogTap;

/** Four machines with two cards each, of which the first card of the first machine can run out of something. */
final class StandInScarce implements ScarceCards {
    private static final Net FIRST = Net.parse("o2ib");
    private static final Net SECOND = Net.parse("o2ib1");
    private static final int MACHINES = 4;
    private static final long LIMIT_NANOS = 30_000_000_000L;
    private static final long LOOK_NANOS = 200_000;

    private final LogTap log = new LogTap(O2ibLnd.class.getName());
    private final StandInNetwork network = new StandInNetwork();
    private final List<StandIn> machines = new ArrayList<>();
    private final List<IbvProvider> providers = new ArrayList<>();
    private final Map<Integer, O2ibLnd> lnds = new HashMap<>();
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
        this.what = what;
        this.errno = errno;
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
                O2ibLnd made = new O2ibLnd(stack, host, cards, Tunables.DEFAULT);
                lnds.put(node, made);
                return made;
            }
        };
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
        machines.getFirst().useUp(0, what, errno);
    }

    @Override
    public void free() {
        machines.getFirst().free();
    }

    @Override
    public Map<String, Long> refusals(int node) {
        return Objects.requireNonNull(lnds.get(node)).rejectsSent();
    }

    @Override
    public boolean isExplained() {
        return log.lines().stream().anyMatch(line -> line.contains("no connection: " + explanation));
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
