package org.railyard.itest.netns;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.railyard.itest.kit.Await;
import org.railyard.testkit.Program;

/**
 * A machine in QEMU with a kernel of Debian and its {@code rdma_rxe}, at the other end of a cable to a namespace.
 * Everything is interpreted, so that it needs no support of the processor; it starts in some 20 s.
 */
final class RxeGuest implements AutoCloseable {
    /** Its address. */
    static final String ADDRESS = "10.79.0.2";

    /** The address of the namespace on the cable. */
    static final String NEIGHBOUR = "10.79.0.1";

    /** Device of the cable in the namespace. */
    static final String DEVICE = "rxe";

    /** Where a kernel is: {@code /}, or a folder into which a package {@code linux-image-*-amd64} was unpacked. */
    private static final String KERNEL_ROOT = System.getProperty("railyard.rxe.kernel", "/");

    private static final int START_SECONDS = 240;

    private final Process process;
    private final PrintStream console;
    private final List<String> lines = new ArrayList<>();

    /** Builds the guest in a folder and starts it; returns when its device is there. */
    RxeGuest(Namespace namespace, Path folder, int mtu) throws IOException {
        for (String name : List.of("init", "rxe-peer.c", "guest.sh")) {
            try (InputStream from = RxeGuest.class.getResourceAsStream("/rxe/" + name)) {
                Files.copy(from, folder.resolve(name));
            }
        }
        Path out = Files.createDirectory(folder.resolve("guest"));
        Program.of("bash", folder.resolve("guest.sh").toString(), folder.toString(), KERNEL_ROOT, out.toString())
                .run();
        namespace.ip("tuntap add dev " + DEVICE + " mode tap");
        namespace.address(DEVICE, NEIGHBOUR + "/24");
        namespace.ip("link set " + DEVICE + " mtu " + mtu + " up");
        process = new ProcessBuilder(
                        "ip",
                        "netns",
                        "exec",
                        namespace.name(),
                        "qemu-system-x86_64",
                        "-accel",
                        "tcg",
                        "-cpu",
                        "max",
                        "-m",
                        "256",
                        "-nographic",
                        "-no-reboot",
                        "-kernel",
                        out.resolve("vmlinuz").toString(),
                        "-initrd",
                        out.resolve("initrd.gz").toString(),
                        // On a busy machine, its kernel takes the timer for broken when that comes late.
                        "-append",
                        "console=ttyS0 quiet panic=-1 no_timer_check rxe_mtu=" + mtu,
                        "-netdev",
                        "tap,id=cable,script=no,downscript=no,ifname=" + DEVICE,
                        "-device",
                        "virtio-net-pci,netdev=cable,romfile=,host_mtu=" + mtu)
                .redirectErrorStream(true)
                .start();
        console = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread.ofVirtual().start(this::read);
        await("guest-ready", START_SECONDS);
    }

    private void read() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                synchronized (lines) {
                    lines.add(line);
                    lines.notifyAll();
                }
            }
        } catch (IOException e) {
            // It has ended.
        }
    }

    /** Starts the other side's program in the background. */
    void peer(String arguments) {
        console.println("rxe-peer " + arguments + " 2>&1 &");
    }

    /** Loses so many of a hundred packets in each direction, and repeats as many. */
    void lose(int percent) {
        String netem = " root netem loss " + percent + "% duplicate " + percent + "%";
        console.println("tc qdisc replace dev eth0" + netem + " && tc qdisc replace dev ifb0" + netem
                + " && echo loses-" + percent);
        await("loses-" + percent);
    }

    /** Forgets what was printed. */
    void clear() {
        synchronized (lines) {
            lines.clear();
        }
    }

    /** Waits for a line that contains a text. */
    void await(String text) {
        await(text, (int) Await.LIMIT.toSeconds());
    }

    private void await(String text, int seconds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        synchronized (lines) {
            while (lines.stream().noneMatch(line -> line.contains(text))) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    throw new AssertionError("the guest did not print '" + text + "' within " + seconds + " s, but:\n"
                            + String.join("\n", lines));
                }
                try {
                    lines.wait(left);
                } catch (InterruptedException e) {
                    throw Await.interrupted(e);
                }
            }
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            throw Await.interrupted(e);
        }
    }
}
