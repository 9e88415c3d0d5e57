package org.railyard.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.standin.StandIn;
import org.railyard.ibverbs.standin.StandInNetwork;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.Access;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.Completion;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Pd;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.WorkChain;

/** What was given back is not given to the libraries again, whatever its users call: it would end the process. */
final class ClosedObjectsTest {
    private static final CmAddress SERVICE = new CmAddress(StandInWorld.FIRST_IP, 987);
    private static final long SECOND = 1_000_000_000L;

    private final StandInNetwork network = new StandInNetwork();
    private final StandIn machine = network.add("mlx5_0", StandInWorld.FIRST_IP);

    private void assertNothingNative(ThrowingCallable call) {
        int before = machine.calls();
        Throwable refused = catchThrowable(call);
        if (refused != null) {
            assertThat(refused).isInstanceOf(VerbsException.class);
        }
        assertThat(machine.calls()).isEqualTo(before);
    }

    private CmId found(IbvProvider provider, EventLoop loop) throws Exception {
        CompletableFuture<CmId> result = new CompletableFuture<>();
        loop.call(() -> provider.createId(loop, (end, event) -> {
                    if (event.type() == CmEvent.Type.ADDRESS_RESOLVED) {
                        result.complete(end);
                    }
                })
                .resolveAddress(SERVICE, SECOND));
        return result.get(30, TimeUnit.SECONDS);
    }

    @Test
    @Requirement("ibv-022")
    @SuppressWarnings("try") // That things may be closed twice is what is shown.
    void nothingNativeIsCalledWithWhatWasClosed() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            IbvProvider provider =
                    new IbvProvider(new RealHost(), new NativeCards(new NativeVerbs(machine.functions())), List.of());
            EventLoop loop = provider.createEventLoop("test");
            VerbsDevice device = provider.devices().getFirst();
            Pd pd = device.openPd();
            ArenaRegion region = pd.registerArena(arena.allocate(4096), Access.LOCAL_WRITE);
            CmId id = found(provider, loop);
            loop.call(() -> {
                Cq cq = device.createCq(16, loop, _ -> {});
                Qp qp = id.createQp(pd, cq, new QpCapabilities(4, 4, 1));
                qp.close();
                WorkChain chain = new WorkChain();
                chain.send(1, true).gather(region.addressOf(0), 8, region.localKey());
                assertNothingNative(() -> assertThat(qp.postSend(chain)).isZero());
                assertNothingNative(() -> assertThat(qp.postReceive(1, region.addressOf(0), 8, region.localKey()))
                        .isFalse());
                assertNothingNative(qp::modifyToError);
                assertNothingNative(qp::close);
                id.close();
                assertEndIsClosed(id, pd, cq);
                cq.close();
                assertNothingNative(
                        () -> assertThat(cq.poll(Completion.batch(4))).isZero());
                assertNothingNative(cq::arm);
                assertNothingNative(cq::close);
            });
            region.close();
            assertNothingNative(region::close);
            pd.close();
            assertNothingNative(pd::close);
            assertNothingNative(() -> pd.registerArena(arena.allocate(4096), Access.LOCAL_WRITE));
            provider.close();
            assertNothingNative(provider::close);
            assertNothingNative(device::openPd);
            assertNothingNative(() -> provider.createEventLoop("late"));
            assertNothingNative(() -> provider.createId(loop, (_, _) -> {}));
            assertNothingNative(() -> device.createCq(16, loop, _ -> {}));
            assertThatThrownBy(() -> provider.createEventLoop("late")).isInstanceOf(VerbsException.class);
            assertThat(machine.leftovers()).isEmpty();
        } finally {
            network.close();
        }
    }

    private void assertEndIsClosed(CmId id, Pd pd, Cq cq) {
        assertNothingNative(() -> id.bind(SERVICE, true));
        assertNothingNative(id::listen);
        assertNothingNative(() -> id.resolveAddress(SERVICE, SECOND));
        assertNothingNative(() -> id.resolveRoute(0, SECOND));
        assertNothingNative(() -> id.createQp(pd, cq, new QpCapabilities(4, 4, 1)));
        assertNothingNative(() -> id.connect(ConnectParameters.DEFAULT, MemorySegment.NULL));
        assertNothingNative(() -> id.accept(ConnectParameters.DEFAULT, MemorySegment.NULL));
        assertNothingNative(() -> id.reject(MemorySegment.NULL));
        assertNothingNative(id::communicationEstablished);
        assertNothingNative(id::disconnect);
        assertNothingNative(id::localAddress);
        assertNothingNative(id::remoteAddress);
        assertNothingNative(() -> assertThat(id.device()).isNull());
        assertNothingNative(() -> assertThat(id.port()).isZero());
        assertNothingNative(id::close);
    }
}
