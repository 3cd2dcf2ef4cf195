{{- define "turnpike.labels" -}}
app.kubernetes.io/name: turnpike
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "turnpike.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "turnpike.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
# A new volume belongs to root.
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "turnpike.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: ["ALL"]
{{- end }}
