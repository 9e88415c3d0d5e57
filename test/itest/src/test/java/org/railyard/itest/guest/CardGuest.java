package org.railyard.itest.guest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.railyard.itest.kit.Await;
import org.railyard.itest.netns.Namespace;

/**
 * A machine in QEMU with a kernel of Debian, its {@code rdma_rxe} and the files of this machine, so that a JVM runs
 * there (spec 24 §11). Everything is interpreted.
 */
final class CardGuest implements AutoCloseable {
    /** Where a kernel is: {@code /}, or a folder into which a package {@code linux-image-*-amd64} was unpacked. */
    private static final String KERNEL_ROOT = System.getProperty("railyard.rxe.kernel", "/");

    /** The address of the namespace on the cable. */
    static final String NEIGHBOUR = "10.79.4.1";

    /** The address of the third card. */
    static final String THIRD = "10.79.4.2";

    private static final String DEVICE = "rxe-cards";
    private static final String SAYS = "says: ";
    private static final String ERRORS = "/run/errors";

    /** What is printed behind each program; the command that prints it is echoed, and is written in another way. */
    private static final String OVER = "program-over";

    private static final char END_OF_FILE = 4;

    private final Path folder;
    private final Process process;
    private final PrintStream console;
    private final BufferedReader reader;

    /** Builds the guest in a folder and starts it; returns when its cards are there. */
    CardGuest(Path folder) throws IOException, InterruptedException {
        this(folder, List.of(), List.of());
    }

    /** The same with a third card, 10.79.4.2, at the other end of a cable to a namespace. */
    CardGuest(Path folder, Namespace namespace) throws IOException, InterruptedException {
        this(
                folder,
                List.of("ip", "netns", "exec", namespace.name()),
                List.of(
                        "-netdev",
                        "tap,id=third,script=no,downscript=no,ifname=" + DEVICE,
                        "-device",
                        "virtio-net-pci,netdev=third,romfile="));
    }

    /** Lays the cable in a namespace, for a guest with a third card. */
    static void layCable(Namespace namespace) {
        namespace.ip("tuntap add dev " + DEVICE + " mode tap");
        namespace.address(DEVICE, NEIGHBOUR + "/24");
        namespace.ip("link set " + DEVICE + " up");
    }

    private CardGuest(Path folder, List<String> wrapper, List<String> more) throws IOException, InterruptedException {
        this.folder = folder;
        for (String name : List.of("cards-init", "cards-guest.sh")) {
            try (InputStream from = CardGuest.class.getResourceAsStream("/rxe/" + name)) {
                Files.copy(from, folder.resolve(name));
            }
        }
        Path out = Files.createDirectory(folder.resolve("guest"));
        Process build = new ProcessBuilder(
                        "bash",
                        folder.resolve("cards-guest.sh").toString(),
                        folder.resolve("cards-init").toString(),
                        KERNEL_ROOT,
                        out.toString())
                .inheritIO()
                .start();
        if (build.waitFor() != 0) {
            throw new IOException("the guest can not be built; is there a kernel in " + KERNEL_ROOT + "?");
        }
        process = new ProcessBuilder(command(out, wrapper, more))
                .redirectErrorStream(true)
                .start();
        console = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        reader = process.inputReader(StandardCharsets.UTF_8);
        readTo("guest-ready");
    }

    private static List<String> command(Path out, List<String> wrapper, List<String> more) {
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(List.of(
                "qemu-system-x86_64",
                "-accel",
                "tcg",
                "-cpu",
                "max",
                "-m",
                "2048",
                "-nographic",
                "-no-reboot",
                "-kernel",
                out.resolve("vmlinuz").toString(),
                "-initrd",
                out.resolve("initrd.gz").toString(),
                // On a busy machine, its kernel takes the timer for broken when that comes late.
                "-append",
                "console=ttyS0 quiet panic=-1 no_timer_check",
                "-virtfs",
                "local,path=/,mount_tag=root,readonly=on,security_model=none,multidevs=remap",
                "-netdev",
                "user,id=cable",
                "-device",
                "virtio-net-pci,netdev=cable,romfile="));
        command.addAll(more);
        return command;
    }

    /** Runs a Java program of this class path in the guest, until it ends; returns what it printed. */
    List<String> java(Class<?> program, String... arguments) throws IOException {
        return script(java(program) + " " + String.join(" ", arguments) + "\n");
    }

    /** Returns the command that runs a Java program of this class path; with the second compiler the JVM crashes. */
    static String java(Class<?> program) {
        return Path.of(System.getProperty("java.home"), "bin", "java")
                + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx512m -XX:-UsePerfData -Djava.io.tmpdir=/run"
                + " -ea --enable-native-access=ALL-UNNAMED -cp '" + System.getProperty("java.class.path") + "' "
                + program.getName();
    }

    /** Runs a script for the shell in the guest, until it ends; returns what it printed. */
    List<String> script(String text) throws IOException {
        send(text);
        return readTo(OVER);
    }

    private void send(String text) throws IOException {
        // In a file: a line of the console holds 4095 characters. With its path: the guest's own shell would run
        // itself,
        // and its own sed, which may not know all options.
        Path script = Files.createTempFile(folder, "program", ".sh");
        Files.writeString(script, text);
        console.println(
                "PATH=/usr/bin:/bin:/usr/sbin:/sbin chroot /host /bin/sh " + script + " 2>&1; echo program-'over'");
    }

    /** Starts a program that reads questions and writes answers, a line each; returns when it is ready. */
    void start(Class<?> program, String... arguments) throws IOException {
        send(java(program) + " " + String.join(" ", arguments) + " 2>" + ERRORS + " | sed -u 's/^/" + SAYS + "/'\n");
        readTo(SAYS + "ready");
    }

    /** Asks the program that was started; returns its answer. */
    String ask(String question) throws IOException {
        console.println(question);
        String line = readTo(SAYS).getLast();
        return line.substring(line.indexOf(SAYS) + SAYS.length()).strip();
    }

    /** Ends the program that was started; returns what it wrote as errors. */
    List<String> stop() throws IOException {
        console.print(END_OF_FILE);
        console.flush();
        readTo(OVER);
        return errors();
    }

    private List<String> readTo(String text) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            lines.add(line);
            if (line.contains(text)) {
                return lines;
            }
            if (line.contains(OVER)) {
                lines.addAll(errors());
                throw new IOException("the program ended without '" + text + "':\n" + String.join("\n", lines));
            }
        }
        throw new IOException("the guest ended without '" + text + "':\n" + String.join("\n", lines));
    }

    private List<String> errors() throws IOException {
        return script("cat " + ERRORS + "\n");
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            throw Await.interrupted(e);
        }
    }
}
