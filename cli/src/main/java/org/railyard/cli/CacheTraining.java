package org.railyard.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.railyard.host.RealHost;

/**
 * Runs, in one process, command lines that a JVM records to start faster next time: which classes it loads, and of the
 * long ones what their methods did, so that they are compiled well at once. The launcher of the source tree runs it
 * after each build.
 */
public final class CacheTraining {
    private CacheTraining() {}

    /**
     * Routes and proves a torus, and brings it up on simulated agents. With {@code live} it also starts and ends a
     * subnet manager that listens at a control socket, as with a real port, and runs scenarios of the lab. What the
     * threads of these load differs from run to run: nothing for caches that have to be the same each time. With {@code
     * sm} it does what a subnet manager does, and nothing else: a JVM loads all of its cache before it begins.
     *
     * @param args a folder for files, which is made, the torus, such as {@code 6x6x6}, and {@code live}, {@code sm} or
     *     nothing
     * @throws IOException if the folder can not be made
     * @throws InterruptedException if this thread is interrupted
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Path.of(args[0]));
        String what = args.length > 2 ? args[2] : "";
        run(generate(folder, args[1]));
        if (what.equals("sm")) {
            run(manager(folder));
            live(folder);
        } else {
            for (List<String> line : lines(folder)) {
                run(line);
            }
        }
        if (what.equals("live")) {
            live(folder);
            for (String scenario : List.of("rail-down", "ib-storm")) {
                run(List.of("lab", "run", scenario, "--seeds", "1-2"));
            }
        }
        // How functions of C are called: libibumad is not on each machine that makes a cache.
        new RealHost().currentCpu();
    }

    private static void run(List<String> line) {
        int exit = run(OutputStream.nullOutputStream(), line);
        if (exit != 0) {
            System.err.println(String.join(" ", line) + ": ended with " + exit);
            System.exit(exit);
        }
    }

    private static int run(OutputStream results, List<String> line) {
        PrintWriter out = new PrintWriter(results, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        return Main.run(out, err, line.toArray(String[]::new));
    }

    private static void live(Path folder) throws InterruptedException {
        String socket = folder.resolve("sm.sock").toString();
        List<String> manager = new ArrayList<>(manager(folder));
        manager.addAll(List.of("--live", "--socket", socket));
        CountDownLatch listens = new CountDownLatch(1);
        // The first that it says is where it listens.
        OutputStream results = new OutputStream() {
            @Override
            public void write(int one) {
                listens.countDown();
            }
        };
        // Ended before its first sweep is complete it says that it was not, and where it can not listen, why.
        Thread running = new Thread(
                () -> {
                    run(results, manager);
                    listens.countDown();
                },
                "subnet manager");
        running.start();
        listens.await();
        run(List.of("sm", "stop", "--socket", socket));
        running.join();
    }

    private static List<String> generate(Path folder, String torus) {
        return List.of("fabric", "generate", "torus", torus, "--out", net(folder), "--conf", conf(folder));
    }

    private static List<List<String>> lines(Path folder) {
        String tables = folder.resolve("tables").toString();
        return List.of(
                List.of("--help"),
                List.of("fabric", "route", "--conf", conf(folder), "--out", tables, net(folder)),
                List.of("fabric", "verify", tables),
                manager(folder));
    }

    private static List<String> manager(Path folder) {
        return List.of("sm", "--fabric", net(folder), "--conf", conf(folder));
    }

    private static String net(Path folder) {
        return folder.resolve("net").toString();
    }

    private static String conf(Path folder) {
        return folder.resolve("torus-2QoS.conf").toString();
    }
}
