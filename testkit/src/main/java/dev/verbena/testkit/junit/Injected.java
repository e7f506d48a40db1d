package dev.verbena.testkit.junit;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.QueuePair;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/// The types that a test may take as parameters.
enum Injected {
    PAIR(RdmaPair.class, 2) {
        @Override
        Object of(Run run, int place) {
            return new RdmaPair(run.group());
        }
    },
    GROUP(RdmaGroup.class, 0) {
        @Override
        Object of(Run run, int place) {
            return run.group();
        }
    },
    HOST(RdmaHost.class, 0) {
        @Override
        Object of(Run run, int place) {
            return run.group().host(place);
        }
    },
    DEVICE(Device.class, 0) {
        @Override
        Object of(Run run, int place) {
            return run.group().host(place).device();
        }
    },
    QUEUE_PAIR(QueuePair.class, 2) {
        @Override
        Object of(Run run, int place) {
            return run.group().host(place).pair();
        }
    },
    CHOICES(Choices.class, 0) {
        @Override
        Object of(Run run, int place) {
            return run.choices();
        }
    },
    THREADS(RdmaThreads.class, 0) {
        @Override
        Object of(Run run, int place) {
            return run.threads();
        }
    };

    private static final String NOBODY = "No ParameterResolver registered";

    private final Class<?> type;

    /// How many hosts there must be; 0 for any number.
    private final int hosts;

    Injected(Class<?> type, int hosts) {
        this.type = type;
        this.hosts = hosts;
    }

    /// @param place how many parameters of the same type stand before it
    abstract Object of(Run run, int place);

    static Optional<Injected> of(Class<?> type) {
        return Arrays.stream(values()).filter(it -> it.type == type).findFirst();
    }

    Object value(Run run, ParameterContext parameter) {
        int wanted = run.plan().test().hosts();
        if (hosts != 0 && wanted != hosts) {
            throw new ParameterResolutionException(
                    "%s is for two hosts, and there are %d: take RdmaGroup"
                            .formatted(type.getSimpleName(), wanted));
        }
        int place = 0;
        Parameter[] all = parameter.getDeclaringExecutable().getParameters();
        for (int i = 0; i < parameter.getIndex(); i++) {
            place += all[i].getType() == type ? 1 : 0;
        }
        boolean isOfHost = this == HOST || this == DEVICE || this == QUEUE_PAIR;
        if (isOfHost && place >= wanted) {
            throw new ParameterResolutionException(
                    "%s number %d, and there are %d hosts: say @RdmaTest(hosts = %d)"
                            .formatted(type.getSimpleName(), place + 1, wanted, place + 1));
        }
        return of(run, place);
    }

    /// Lists the supported parameter types when a test asks for another one.
    static ParameterResolutionException explained(ParameterResolutionException thrown) {
        String message = String.valueOf(thrown.getMessage());
        return message.startsWith(NOBODY)
                ? new ParameterResolutionException(
                        message
                                + "\n@RdmaTest gives "
                                + Arrays.stream(values())
                                        .map(it -> it.type.getSimpleName())
                                        .collect(Collectors.joining(", "))
                                + "; ask an RdmaHost for its domain, memory and completions",
                        thrown)
                : thrown;
    }
}
