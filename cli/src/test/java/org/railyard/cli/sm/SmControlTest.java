package org.railyard.cli.sm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.railyard.base.ErrnoException;
import org.railyard.cli.fabric.FabricInputException;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.mad.rmpp.RmppSettings;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.sm.SmSettings;
import org.railyard.sm.TextStore;
import org.railyard.sm.master.Master;
import org.railyard.sm.sa.SaSettings;

/** What is told who asks a running subnet manager, or has it read its configuration again. */
final class SmControlTest {
    private final SampleTorus torus = SampleTorus.torus(3, 3, 1, 1);
    private final SmSettings settings = SmSettings.of(
            RoutingSettings.of(EngineName.TORUS_2QOS.engine(TorusConfParser.parse(torus.conf(1)), false, List.of())));
    private final SimulatedPort port = port(torus.fabric());
    private final List<String> told = new ArrayList<>();

    private static SimulatedPort port(Fabric fabric) {
        return new SimulatedSubnet(fabric, SimulationSettings.DEFAULT, new SplittableRandom(1))
                .attach(FreshLids.firstEndPort(fabric));
    }

    @AfterEach
    void close() {
        port.close();
    }

    /** It does nothing to the subnet, and says so. */
    @Test
    void whoIsNotMasterSaysSoAndBeginsNoSweep() {
        SmControl control = control(log(), () -> read(5));
        for (String command : List.of("sweep", "why")) {
            assertThatThrownBy(() -> control.execute(command, Map.of("switch", "S-0.0.0", "lid", "1")))
                    .isInstanceOf(ErrnoException.class)
                    .hasMessageContaining("this subnet manager is not active: ask the one that is master");
        }
        assertThat(control.execute("reload", Map.of())).containsEntry("reload", "used when it is master");
        assertThat(control.execute("reload", Map.of())).containsEntry("reload", "nothing has changed");
    }

    private static SweepLog log() {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        return new SweepLog(new SmPrinter(nowhere, nowhere, false, "wrote"), InstantSource.system(), "wrote");
    }

    private SmControl control(SweepLog log, SmControl.Reload reload) {
        Master master = new Master(port, RmppSettings.DEFAULT, settings, SaSettings.DEFAULT, TextStore.NONE, log);
        return new SmControl(master, Runnable::run, log, read(0), reload, () -> {}, Optional.empty());
    }

    private SweepLog signalled(SmControl.Reload reload) {
        SweepLog log = log();
        control(log, reload).reloadBySignal(told::add);
        return log;
    }

    private SmConfiguration read(int priority) {
        return new SmConfiguration(
                settings.withRole(settings.role().withPriority(priority)),
                SaSettings.DEFAULT,
                new TreeMap<>(),
                "",
                List.of());
    }

    @Test
    void whatIsRefusedIsToldWithItsPlace() throws InterruptedException {
        SweepLog log = signalled(() -> {
            throw FabricInputException.of(Path.of("torus.conf"), List.of("torus.conf:3:7: what?"), true);
        });
        assertThat(told).containsExactly("SIGHUP: nothing changed: torus.conf:3:7: what?");
        assertThat(log.after(0, 0)).extracting(SweepLog.Event::text).isEqualTo(told);
    }

    @Test
    void whatHasChangedIsTold() throws InterruptedException {
        SweepLog log = signalled(() -> read(5));
        assertThat(told).containsExactly("SIGHUP: priority: 5, was 0", "SIGHUP: the configuration was read");
        assertThat(log.after(0, 0)).extracting(SweepLog.Event::text).isEqualTo(told);
    }

    /** What is read goes to places that all share: half of one would be used with half of the other. */
    @Test
    @Timeout(60)
    void oneReloadReadsAfterTheOther() throws InterruptedException {
        AtomicInteger reading = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        SmControl control = control(log(), () -> {
            most.accumulateAndGet(reading.incrementAndGet(), Math::max);
            first.countDown();
            await(go);
            reading.decrementAndGet();
            return read(5);
        });
        Thread one = Thread.ofPlatform().start(() -> control.execute("reload", Map.of()));
        first.await();
        Thread other = Thread.ofPlatform().start(() -> control.reloadBySignal(told::add));
        while (other.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        go.countDown();
        one.join();
        other.join();
        assertThat(most).hasValue(1);
        assertThat(told).containsExactly("SIGHUP: the configuration was read");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
