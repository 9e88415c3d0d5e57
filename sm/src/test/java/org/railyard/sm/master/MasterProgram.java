package org.railyard.sm.master;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.NodeClock;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.mad.rmpp.RmppSettings;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.umad.UmadSettings;
import org.railyard.mad.umad.UmadTransport;
import org.railyard.sm.SmListener;
import org.railyard.sm.SmSettings;
import org.railyard.sm.SweepReport;
import org.railyard.sm.TextStore;
import org.railyard.sm.lid.LidOrder;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.role.RoleSettings;
import org.railyard.sm.role.SmRole;
import org.railyard.sm.sa.SaSettings;
import org.railyard.sm.sa.SaStore;

/** A master at a port of ibsim, until it is killed; tells each sweep in a line. */
final class MasterProgram {
    private static final NodeClock CLOCK = new NodeClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long wallNanos() {
            return 0;
        }
    };

    private static final long POLL_NANOS = 500_000_000L;

    private MasterProgram() {}

    /**
     * Begins.
     *
     * @param arguments file with the torus-2QoS.conf, priority, and perhaps a file with what subnet administration kept
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        RoutingSettings routing = RoutingSettings.of(EngineName.TORUS_2QOS.engine(
                TorusConfParser.parse(Files.readString(Path.of(arguments[0]))), false, List.of()));
        UmadTransport umad = UmadTransport.open(UmadSettings.manager(), CLOCK);
        Master master = new Master(
                umad,
                RmppSettings.DEFAULT.towardsTools(),
                SmSettings.of(routing)
                        .withLids(LidOrder.OPENSM, 0, true)
                        .withRole(RoleSettings.DEFAULT
                                .withPriority(Integer.parseInt(arguments[1]))
                                .withPolls(POLL_NANOS, 2)),
                SaSettings.DEFAULT.withGroupSls(SaSettings.TORUS_GROUP_SLS),
                TextStore.NONE,
                new SmListener() {
                    @Override
                    public void swept(SweepReport report) {
                        System.out.println("sweep " + report.result());
                    }

                    @Override
                    public void role(SmRole role, String why) {
                        System.out.println(role.text() + ": " + why);
                    }

                    @Override
                    public void published(SubnetSnapshot snapshot) {
                        Fabric fabric = snapshot.fabric();
                        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
                            System.out.printf(
                                    "%s has LID %d%n", fabric.description(node), fabric.lid(fabric.portIndex(node, 1)));
                        }
                    }

                    @Override
                    public void failed(ErrnoException why) {
                        throw why;
                    }

                    @Override
                    public void trapped(Notice notice, int fromLid, String text) {
                        System.out.println("trap " + notice.getInt(Notice.TRAP_NUMBER));
                    }
                });
        if (arguments.length > 2) {
            String kept = Files.readString(Path.of(arguments[2]));
            master.keepIn(
                    new SaStore() {
                        @Override
                        public String load() {
                            return kept;
                        }

                        @Override
                        public CompletableFuture<Void> save(String text) {
                            // Nobody reads it.
                            return CompletableFuture.completedFuture(null);
                        }
                    },
                    InstantSource.system(),
                    System.out::println);
        }
        umad.loop().execute(master::start);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            CountDownLatch left = new CountDownLatch(1);
            umad.loop().execute(() -> master.leave(left::countDown));
            try {
                left.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        Thread.currentThread().join();
    }
}
