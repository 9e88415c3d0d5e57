package org.railyard.o2iblnd.tune;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Results in their order, found by scope and name. */
final class CalculatedFigures {
    private final Map<String, Figure> figures = new LinkedHashMap<>();

    void add(Figure.Scope scope, String name, long value, String unit) {
        put(new Figure(scope, name, value, Long.toString(value), unit));
    }

    void addFraction(Figure.Scope scope, String name, double value, String unit) {
        put(new Figure(scope, name, value, String.format(Locale.ROOT, "%.3f", value), unit));
    }

    private void put(Figure figure) {
        figures.put(figure.fullName(), figure);
    }

    long get(String fullName) {
        Figure figure = find(fullName);
        if (figure == null) {
            throw new IllegalArgumentException("no figure " + fullName);
        }
        return (long) figure.value();
    }

    @Nullable
    Figure find(String fullName) {
        return figures.get(fullName);
    }

    List<Figure> all() {
        return new ArrayList<>(figures.values());
    }
}
