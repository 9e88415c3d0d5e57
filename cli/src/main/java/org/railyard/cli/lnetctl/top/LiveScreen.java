package org.railyard.cli.lnetctl.top;

import java.io.IOException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.Terminal.SignalHandler;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import org.jline.utils.InfoCmp.Capability;
import org.jspecify.annotations.Nullable;
import org.railyard.cli.lnetctl.top.Drawn.Style;
import org.railyard.control.figures.Reading;

/**
 * The terminal while figures are shown on it: keys in, lines out. The node is asked on a thread of its own, so that
 * keys work while it does not answer.
 */
public final class LiveScreen {
    private static final long KEY_MILLIS = 100;
    private static final int CONTROL_C = 3;
    private static final int DEFAULT_WIDTH = 80;
    private static final int DEFAULT_HEIGHT = 24;
    private static final long PATIENCE = Duration.ofSeconds(2).toNanos();

    private final Terminal terminal;
    private final NodeSource node;
    private final Duration interval;
    private final Watch watch = new Watch(System.nanoTime());
    private View view;
    private boolean quit;
    private String shown = "";

    /**
     * Makes one.
     *
     * @param terminal where to; stays open
     * @param interval time between readings
     * @param sort what rows are sorted by, one of {@link #sortings}
     */
    public LiveScreen(Terminal terminal, NodeSource node, Duration interval, String sort) {
        this.terminal = terminal;
        this.node = node;
        this.interval = interval;
        this.view = View.of(Order.named(sort).orElseThrow());
    }

    /** Returns what rows can be sorted by. */
    public static List<String> sortings() {
        return Order.names();
    }

    /** Tells whether a terminal can be drawn on. */
    public static boolean canDrawOn(Terminal terminal) {
        return !terminal.getType().startsWith(Terminal.TYPE_DUMB);
    }

    /**
     * Shows figures until it is told to end; leaves the terminal as it was.
     *
     * @throws UnavailableException if the node has no figures at the beginning
     */
    public void run() throws IOException, UnavailableException {
        watch.read(Reading.of(node.sample()), System.nanoTime());
        ExecutorService asking = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("lnetctl-top").factory());
        SignalHandler interrupts = terminal.handle(Signal.INT, signal -> quit = true);
        SignalHandler resizes = terminal.handle(Signal.WINCH, signal -> {});
        Attributes attributes = terminal.enterRawMode();
        try {
            terminal.puts(Capability.enter_ca_mode);
            terminal.puts(Capability.cursor_invisible);
            loop(asking);
        } finally {
            asking.shutdownNow();
            terminal.puts(Capability.cursor_normal);
            terminal.puts(Capability.exit_ca_mode);
            terminal.flush();
            terminal.setAttributes(attributes);
            terminal.handle(Signal.INT, interrupts);
            terminal.handle(Signal.WINCH, resizes);
        }
    }

    private void loop(ExecutorService asking) throws IOException {
        Keys keys = new Keys(terminal.reader());
        long next = System.nanoTime() + interval.toNanos();
        @Nullable Future<Reading> answer = null;
        while (!quit) {
            if (answer == null && System.nanoTime() - next >= 0) {
                answer = asking.submit(() -> Reading.of(node.sample()));
                next = System.nanoTime() + interval.toNanos();
            }
            if (answer != null && answer.isDone()) {
                take(answer);
                answer = null;
            }
            draw();
            key(keys.next(KEY_MILLIS));
        }
    }

    private void take(Future<Reading> answer) {
        long at = System.nanoTime();
        try {
            watch.read(answer.get(), at);
        } catch (ExecutionException e) {
            watch.failed(
                    e.getCause() instanceof UnavailableException why
                            ? why
                            : new UnavailableException(String.valueOf(e.getCause()), true),
                    at);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            quit = true;
        }
    }

    private void key(int key) {
        switch (key) {
            case 'q', 'Q', CONTROL_C, Keys.END -> quit = true;
            default -> view = view.after(key);
        }
    }

    private void draw() {
        NodeFigures figures = watch.figures();
        if (figures == null) {
            return;
        }
        Size size = terminal.getSize();
        int width = size.getColumns() > 0 ? size.getColumns() : DEFAULT_WIDTH;
        int height = size.getRows() > 0 ? size.getRows() : DEFAULT_HEIGHT;
        String trouble = watch.trouble(System.nanoTime(), interval.toNanos() + PATIENCE);
        String title =
                "lnetctl top  " + LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + "  every "
                        + text(interval) + "  " + figures.nis().size() + " NIs  "
                        + (figures.peerNis().size() + figures.more()) + " peer NIs";
        Screen.Drawing drawing = Screen.draw(figures, view, title, trouble, width, height);
        view = drawing.view();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < drawing.lines().size(); i++) {
            text.append(i == 0 ? "" : "\r\n")
                    .append(styled(drawing.lines().get(i)))
                    .append("\033[K");
        }
        // A screen that says the same is left alone: nothing flickers, and what is marked stays marked.
        if (!text.toString().equals(shown)) {
            shown = text.toString();
            terminal.puts(Capability.cursor_home);
            terminal.writer().write(shown + "\033[J");
            terminal.flush();
        }
    }

    private static String text(Duration interval) {
        return interval.toMillis() % 1000 == 0 ? interval.toSeconds() + " s" : interval.toMillis() + " ms";
    }

    private String styled(Drawn line) {
        AttributedStyle style = switch (line.style()) {
            case Style.PLAIN -> AttributedStyle.DEFAULT;
            case Style.HEAD -> AttributedStyle.INVERSE;
            case Style.BAD ->
                System.getenv("NO_COLOR") == null
                        ? AttributedStyle.BOLD.foreground(AttributedStyle.RED)
                        : AttributedStyle.BOLD;
            case Style.FAINT -> AttributedStyle.DEFAULT.faint();
        };
        return new AttributedString(line.text(), style).toAnsi(terminal);
    }
}
