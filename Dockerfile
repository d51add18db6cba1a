# The image of compose.yaml and of the Helm chart: the jar on a JRE, as a user without rights.
FROM maven:3-eclipse-temurin-25 AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.m2 mvn -q -Dlean -pl server -am package

FROM eclipse-temurin:25-jre
# A named volume takes its owner from the folder that it is mounted over.
RUN useradd --system --uid 10001 --home-dir /var/lib/laurel --create-home laurel \
  && install -d -o 10001 -g 10001 /var/lib/laurel-archive
COPY --from=build /src/server/target/lean/laurel.jar /opt/laurel/laurel.jar
USER 10001
WORKDIR /var/lib/laurel
# Logs are kept and passed on: a key that is made up goes to a file, not there.
ENV LAUREL_HOST=0.0.0.0 LAUREL_DATA=/var/lib/laurel LAUREL_ADMIN_KEY_FILE=/var/lib/laurel/admin.key
EXPOSE 8080
# Out of memory the process ends with status 3, and the container is started again.
# exec form: SIGTERM reaches Java, which drains and finishes its batch.
ENTRYPOINT ["java", "-XX:+UseCompactObjectHeaders", "-XX:+UseG1GC", "-XX:MaxRAMPercentage=75", \
  "-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED", "-jar", "/opt/laurel/laurel.jar"]
CMD ["serve"]
