package org.railyard.itest.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;
import org.railyard.testkit.Requirement;

/**
 * RoCE in Java and the kernel's {@code rdma_rxe}, each asking the other: connections with private data, messages,
 * writes, refusals (spec 23 §5). The kernel runs in a machine of its own, see {@code resources/rxe/guest.sh}; it is
 * taken from {@code /}, or from the folder that {@code -Drailyard.rxe.kernel} names.
 */
@EnabledIfSystemProperty(
        named = "railyard.long",
        matches = "true",
        disabledReason = "a whole machine is interpreted: only with -Plong")
@ParameterizedClass
@ValueSource(ints = {1500, 4200})
@NeedsRoot
@NeedsCommand({"ip", "qemu-system-x86_64", "gcc", "busybox", "cpio", "rdma", "tc"})
final class RdmaRxeTest {
    private static final int PORT = 7471;

    /** By chance nothing may be lost in one round. */
    private static final int MOST_ROUNDS = 20;

    private static final String HELLO = "private-data-of-Railyard";
    private static final String KERNEL_HELLO = "private data of the kernel's side";

    /** Of the device that carries it; it gives packets of 1024 bytes, and of 4096. */
    @Parameter
    private int mtu;

    @TempDir
    private static Path folder = Path.of("");

    private static @Nullable Namespace namespace;
    private static @Nullable RxeGuest guest;

    @BeforeParameterizedClassInvocation
    static void start(int mtu) throws IOException {
        Namespace.deleteLeftOvers();
        Namespace made = new Namespace();
        namespace = made;
        RxeGuest started = new RxeGuest(made, Files.createTempDirectory(folder, "mtu"), mtu);
        guest = started;
        started.peer("listen " + PORT);
        started.await("listening");
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        if (guest != null) {
            guest.close();
        }
        if (namespace != null) {
            namespace.close();
        }
    }

    private static RxeGuest guest() {
        return Objects.requireNonNull(guest);
    }

    private static NodeProcess node() throws IOException {
        return new NodeProcess(Objects.requireNonNull(namespace), VerbsProgram.class, RxeGuest.NEIGHBOUR);
    }

    private static void connect(NodeProcess node) {
        guest().clear();
        assertThat(node.ask("connect " + RxeGuest.ADDRESS + " " + PORT + " " + HELLO))
                .isEqualTo("established: " + KERNEL_HELLO);
        guest().await("asked with 56 bytes: " + HELLO);
    }

    /** The kernel asks; returns when it has its answer. */
    private static void beAsked(NodeProcess node, int port) {
        guest().clear();
        assertThat(node.ask("listen " + port)).isEqualTo("listening");
        guest().peer("connect " + RxeGuest.NEIGHBOUR + " " + port);
        assertThat(node.ask("news")).isEqualTo("asked: " + KERNEL_HELLO);
        assertThat(node.ask("news")).startsWith("established");
        guest().await("accepted with 196 bytes: " + HELLO);
    }

    private static void talk(NodeProcess node, int most) {
        for (int length : new int[] {1, 2, 3, 1023, 1024, 1025, 2048, 4095, 4096}) {
            assertThat(node.ask("echo " + length + " 8")).as(length + " bytes").isEqualTo("echoed 8");
        }
        for (int length : new int[] {1, 5, 1024, 1025, 65_536, most}) {
            assertThat(node.ask("write " + length + " " + length))
                    .as(length + " bytes there")
                    .isEqualTo("written, all as it should be");
            assertThat(node.ask("fetch " + length + " " + length))
                    .as(length + " bytes back")
                    .isEqualTo("all as it should be");
        }
    }

    @Test
    @Requirement("sv-041")
    void thisSideAsks() throws IOException {
        try (NodeProcess node = node()) {
            connect(node);
            talk(node, 1 << 20);
            assertThat(node.ask("disconnect")).isEqualTo("disconnected");
            guest().await("over");
        }
    }

    @Test
    @Requirement("sv-041")
    void packetsAreAsLargeAsBothSidesTake() throws IOException {
        try (NodeProcess node = node()) {
            connect(node);
            long before = count(node, "SENT");
            assertThat(node.ask("write " + (1 << 20) + " 1")).isEqualTo("written, all as it should be");
            int packets = (1 << 20) / (mtu < 4200 ? 1024 : 4096);
            assertThat(count(node, "SENT") - before).isBetween((long) packets, packets + 100L);
        }
    }

    private static long count(NodeProcess node, String what) {
        return Long.parseLong(node.ask("count " + what));
    }

    @Test
    @Requirement("sv-041")
    void theKernelAsks() throws IOException {
        try (NodeProcess node = node()) {
            beAsked(node, PORT + 1);
            talk(node, 1 << 20);
            assertThat(node.ask("disconnect")).isEqualTo("disconnected");
            guest().await("over");
        }
    }

    @Test
    @Requirement("sv-041")
    void aRejectTellsWhy() throws IOException {
        try (NodeProcess node = node()) {
            assertThat(node.ask("connect " + RxeGuest.ADDRESS + " " + PORT + " xyz"))
                    .isEqualTo("rejected for 28: " + KERNEL_HELLO);
            assertThat(node.ask("connect " + RxeGuest.ADDRESS + " 4242 " + HELLO))
                    .as("nobody listens")
                    .startsWith("rejected for 8");
        }
    }

    @Test
    @Requirement("sv-041")
    void aWrongKeyEndsTheConnectionOnBothSides() throws IOException {
        try (NodeProcess node = node()) {
            connect(node);
            assertThat(node.ask("write-with-wrong-key")).isEqualTo("REMOTE_ACCESS");
            guest().await("over");
            assertThat(node.ask("news")).isEqualTo("disconnected");
            connect(node);
        }
    }

    @Test
    @Requirement("sv-041")
    void aWrongKeyOfTheKernelIsRefused() throws IOException {
        try (NodeProcess node = node()) {
            connect(node);
            node.ask("fetch-with-wrong-key");
            guest().await("write: remote access error");
            guest().await("over");
        }
    }

    /** Packets are lost and doubled at random, data and acknowledgements: both sides repeat what did not arrive. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    @Requirement("sv-041")
    void whatIsLostIsRepeated(int percent) throws IOException {
        try (NodeProcess node = node()) {
            connect(node);
            guest().lose(percent);
            try {
                long repeated = 0;
                for (int round = 0; repeated == 0 && round < MOST_ROUNDS; round++) {
                    talk(node, 200_000);
                    repeated = count(node, "RESENT") + count(node, "NAKS_SENT") + count(node, "DUPLICATES");
                }
                assertThat(repeated).as("something was lost or came twice").isPositive();
            } finally {
                guest().lose(0);
            }
            // The program at the other side serves one connection at a time, and may not hear of one whose end is
            // killed.
            assertThat(node.ask("disconnect")).isEqualTo("disconnected");
            guest().await("over");
        }
    }
}
